#!/bin/sh
# SPDX-License-Identifier: MIT
# hint.sh hint NN: prints the next hint that you have not seen.
. common/cli/lib.sh

number=$2
file=$(chapter_dir chapter "$number")/hints.md
[ -f "$file" ] || die "chapter ${number#0} has no hints ($file is missing)."
count=$(grep -c '^## Hint' "$file")
seen=$(state "$number/hints")
this=$((${seen:-0} + 1))

if [ "$this" -gt "$count" ]; then
    echo "you have seen all $count hints; they are in $file."
    echo "To see the solution: make diff ${number#0}"
    exit 0
fi

remember "$number/hints" "$this"
echo "hint $this of $count"
awk -v want="$this" '
    /^## Hint/ { k++; if (k == want) next }
    k == want { print }
' "$file"
