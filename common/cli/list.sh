#!/bin/sh
# SPDX-License-Identifier: MIT
# list.sh [next]: lists the chapters and your progress; or shows the first
# chapter that you have not passed.
. common/cli/lib.sh
keep_starters

progress() # DIR NN
{
    verdict=$(state "$2/verdict")
    if [ "$verdict" = PASS ]; then
        echo passed
    elif [ -n "$verdict" ] && [ -n "$(state "$2/passed")" ]; then
        echo "$verdict (passed before)"
    elif [ -n "$verdict" ]; then
        echo "$verdict"
    else
        for source in $(kernels "$1"); do
            if ! starter "$source" | cmp -s - "$source"; then
                echo "started"
                return
            fi
        done
        echo "not started"
    fi
}

next()
{
    echo "next: chapter ${1#0}, $(chapter_conf "$2" title) ($3)"
    echo
    echo "    read     $2/README.md"
    for source in $(ordered "$2"); do
        echo "    edit     $source"
    done
    echo "    check    make check-chapter ${1#0}"
    echo "    stuck?   make hint ${1#0}"
}

for dir in chapters/[0-9][0-9]-*/; do
    [ -d "$dir" ] || die "there is no chapter under chapters/."
    dir=${dir%/}
    number=${dir#chapters/}
    number=${number%%-*}
    now=$(progress "$dir" "$number")
    if [ "$1" != next ]; then
        printf '%s  %-44s %s\n' "$number" "$(chapter_conf "$dir" title)" "$now"
    elif [ "$now" != passed ]; then
        next "$number" "$dir" "$now"
        exit 0
    fi
done
[ "$1" != next ] || echo "you have passed all chapters."
