# SPDX-License-Identifier: MIT
# A task of INGInious'; sourced by export.sh. JSON is YAML, too.
# shellcheck shell=sh disable=SC2154
image ''
echo "LABEL org.inginious.grading.name=\"warpbook-$number\"" \
    >>"$part/Dockerfile"
mkdir -p "$part/warpbook-$number"
fill inginious/run >"$part/warpbook-$number/run"
chmod 755 "$part/warpbook-$number/run"
for file in $names; do echo "$file"; done | jq -R . | jq -s \
    --arg title "$title" --arg environment "warpbook-$number" '{
    author: "Warpbook", context: $title, name: $title, order: 1,
    accessible: true, groups: false, evaluate: "best",
    environment: $environment, network_grading: false,
    limits: {time: 600, hard_time: 1800, memory: 4096},
    problems: (map({
        key: sub("[.].*"; ""),
        value: {type: "file", name: ., header: "",
            allowed_exts: [sub(".*[.]"; ".")]}
    }) | from_entries)
}' >"$part/warpbook-$number/task.yaml"
