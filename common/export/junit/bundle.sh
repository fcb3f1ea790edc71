# SPDX-License-Identifier: MIT
# For systems that read JUnit's XML; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
image debian:12
echo 'RUN apt-get install -y --no-install-recommends git' >>"$part/Dockerfile"
files junit/gitlab-ci.yml junit/github.yml junit/artemis.sh
