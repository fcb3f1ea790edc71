#!/bin/sh
# SPDX-License-Identifier: MIT
# list.sh list|next: lists the chapters and your progress; or shows the first
# chapter that you have not passed.
. common/cli/lib.sh
keep_starters
[ -z "$KERNEL" ] || echo "make $1 is about whole chapters: KERNEL= changes" \
    "nothing. make check-chapter N KERNEL=$KERNEL checks one kernel." >&2

# A question to git per file takes seconds. Where no commit to a chapter is the
# learner's, one for all chapters says which files differ from the last commit.
me=$(git config user.email 2>/dev/null)
ask_each=yes
if emails=$(git log --format=%ae -- chapters 2>/dev/null) &&
    [ -n "$emails" ] && ! echo "$emails" | grep -qxF -- "${me:-nobody}"; then
    ask_each=
    changed=$(git status --porcelain --untracked-files=all -- chapters)
fi

untouched() # DIR
{
    [ -z "$ask_each" ] || return 1
    case $changed in *"$1/"*) return 1 ;; esac
}

progress() # DIR NN
{
    verdict=$(state "$2/verdict")
    if [ "$verdict" = PASS ]; then
        echo passed
    elif [ -n "$verdict" ] && [ -n "$(state "$2/passed")" ]; then
        echo "$verdict (passed before)"
    elif [ -n "$verdict" ]; then
        echo "$verdict"
    elif untouched "$1"; then
        echo "not started"
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
        printf '%s  %-50s %s\n' "$number" "$(chapter_conf "$dir" title)" "$now"
    elif [ "$now" != passed ]; then
        next "$number" "$dir" "$now"
        exit 0
    fi
done
[ "$1" != next ] || echo "you have passed all chapters."
