# SPDX-License-Identifier: MIT
# A question of PrairieLearn's; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
image debian:12
question=questions/warpbook-$number
mkdir -p "$part/$question" "$part/serverFilesCourse/warpbook"
fill prairielearn/question.html >"$part/$question/question.html"
fill prairielearn/run.sh >"$part/serverFilesCourse/warpbook/run.sh"
chmod 755 "$part/serverFilesCourse/warpbook/run.sh"
jq -n --arg title "$title" --arg uuid "$(cat /proc/sys/kernel/random/uuid)" \
    --arg image "YOU/warpbook-$number" '{
    uuid: $uuid, title: $title, topic: "CUDA", type: "v3",
    singleVariant: true, gradingMethod: "External",
    externalGradingOptions: {
        enabled: true, image: $image, timeout: 600,
        serverFilesCourse: ["warpbook/"],
        entrypoint: "/grade/serverFilesCourse/warpbook/run.sh"
    }
}' >"$part/$question/info.json"
