#!/bin/sh
# SPDX-License-Identifier: MIT
# snippets.sh check|write FACTS PAGE...: code and results quoted in pages
# against their sources (snippets.awk). `check` prints what drifted and fails;
# `write` rewrites the pages that changed, and names them.
set -u
here=$(dirname "$0")
mode=$1
facts=$2
shift 2
status=0

for page; do
    if [ "$mode" = check ]; then
        awk -f "$here/snippets.awk" -v facts="$facts" -v mode=check "$page" ||
            status=1
        continue
    fi
    new=$(mktemp) || exit 1
    if ! awk -f "$here/snippets.awk" -v facts="$facts" -v mode=write \
        "$page" >"$new"; then
        status=1
    elif ! cmp -s "$new" "$page"; then
        cat "$new" >"$page" && echo "rewrote $page"
    fi
    rm -f "$new"
done
exit $status
