#!/bin/sh
# SPDX-License-Identifier: MIT
# PrairieLearn's entry point: the hand-in is /grade/student. A hand-in that
# could not be graded is "not gradable", which costs no attempt; the job's
# output, for the instructor, says why.
mkdir -p /grade/results
chmod 700 /grade
sh /opt/warpbook/common/export/one.sh prairielearn /grade/student \
    >/grade/results/part || echo "not graded" >&2
[ -s /grade/results/part ] &&
    mv /grade/results/part /grade/results/results.json
