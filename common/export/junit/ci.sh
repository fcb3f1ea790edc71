#!/bin/sh
# SPDX-License-Identifier: MIT
# ci.sh: the report of the last `make check-chapter` as JUnit's XML, on stdout.
set -eu
cd "$(dirname "$0")/../../.."
for report in build/report/chapter-*.json; do
    [ -f "$report" ] || { echo "no report in build/report" >&2; exit 1; }
    jq -L common/export 'include "record"; checked' "$report" |
        jq -r -L common/export -f common/export/junit/result.jq
done
