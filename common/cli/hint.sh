#!/bin/sh
# SPDX-License-Identifier: MIT
# hint.sh hint NN: prints the next hint that you have not seen.
#
#   KERNEL=tile        the next of this kernel's own; once one has passed, the
#                      first that has not needs no KERNEL=
#
# The hard idea: a hint belongs to the kernel that its first line names, as
# `tile.cu`, or to several, `a.cu`, `b.cu`: in a list that a colon ends. One
# that names none belongs to the kernels named last, and those before the first
# name to all. A hint that was shown is not shown again, whichever kernel it was
# shown for.
. common/cli/lib.sh

number=$2
dir=$(chapter_dir chapter "$number")
file=$dir/hints.md
[ -f "$file" ] || die "chapter ${number#0} has no hints ($file is missing)."
if [ -n "$KERNEL" ] && ! kernels "$dir" | grep -q "/$KERNEL\.c"; then
    die "there is no kernel $KERNEL in $dir."
fi

# What passed needs no hint: the first kernel that did not, once one has.
if [ -z "$KERNEL" ]; then
    open=
    passed=
    for source in $(ordered "$dir"); do
        name=${source##*/}
        if kernel_passed "$number" "$source"; then
            passed=yes
        else
            open=${open:-${name%.*}}
        fi
    done
    [ -z "$passed" ] || KERNEL=$open
fi

numbers() # of the hints to show, one per line
{
    awk -v kernel="$KERNEL" '
        /^## Hint/ { k++; fresh = 1; line = ""; next }
        fresh && NF {
            line = line " " $0
            if (/,$/) next # the list goes on
            fresh = 0
            own = ""
            while (match(line, /`[a-z0-9_]+\.cu?`/)) {
                name = substr(line, RSTART + 1, RLENGTH - 2)
                sub(/\..*/, "", name)
                own = own " " name " "
                line = substr(line, RSTART + RLENGTH)
                line = substr(line, 1, index(line, ":"))
            }
            if (own != "") owners = own
            if (kernel == "" || owners == "" ||
                index(owners, " " kernel " ")) print k
        }' "$file"
}

if [ -z "$(numbers)" ]; then
    echo "chapter ${number#0} has no hint for $KERNEL."
    echo "$dir/README.md, \"The exercise\", says what it is to do."
    echo "All hints of the chapter: $file"
    exit 0
fi
count=$(numbers | wc -l)
of=${KERNEL:+ for $KERNEL}
seen=$(state "$number/seen-hints")
next=$(numbers | awk -v seen=" $seen " '!index(seen, " " $1 " ") {
    print NR, $1
    exit
}')

if [ -z "$next" ]; then
    all="all $count hints"
    [ "$count" -gt 1 ] || all="the only hint"
    echo "you have seen $all$of: $file."
    echo "To see the solution: make diff ${number#0}"
    exit 0
fi

remember "$number/seen-hints" "${seen:+$seen }${next#* }"
echo "hint ${next% *} of $count$of"
awk -v want="${next#* }" '
    /^## Hint/ { k++; if (k == want) next }
    k == want { print }
' "$file"
