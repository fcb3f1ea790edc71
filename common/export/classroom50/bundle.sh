# SPDX-License-Identifier: MIT
# An assignment of Classroom 50's; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
image debian:12
echo 'RUN apt-get install -y --no-install-recommends python3 git' \
    >>"$part/Dockerfile"
mkdir -p "$part/autograders/warpbook-$number"
fill classroom50/autograder.py \
    >"$part/autograders/warpbook-$number/autograder.py"
jq -n --arg image "YOU/warpbook-$number" \
    '{container: {image: $image, user: "root"}}' >"$part/runtime.json"
