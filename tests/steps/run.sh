#!/bin/sh
# SPDX-License-Identifier: MIT
# How hard a step is, as TAP: no step asks for more than 60 lines (lines.sh), be
# it optional or not; every walk (walks.tsv) ends in PASS.
#
#   sh tests/steps/run.sh show     a page of all steps: their lines, what three
#                                  walks needed, what a check costs (times.tsv)
#   sh tests/steps/times.sh        measures what checks cost here
#
# That page is no file, so that a new chapter changes none.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
MOST=60
WALKS=tests/steps/walks.tsv
TIMES=tests/steps/times.tsv
LAST_WALKED=09 # of this chapter, the first path
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

page() # LINES-FILE
{
    cat <<END
# What each step asks for

Lines are those of the solution's holes that the starter does not have, blank
ones left out. No step asks for more than $MOST. An optional kernel repeats
another path and is not needed for the chapter's PASS.

Three walks went through the first chapters with a hand-out alone: the lesson,
its hints and the checker's messages. The walkers were language models, so they
know CUDA better than a beginner; the numbers compare steps with each other.
Checks are those until the step passed, of the first, second and third walk, and
so are hints.

| chapter | kernel | lines | checks | hints | |
|---|---|--:|---|---|---|
END
    awk -F '\t' '
        /^#/ { next }
        FNR == NR {
            step = $2 " " $3
            comma = step in checks ? ", " : ""
            checks[step] = checks[step] comma $4
            hints[step] = hints[step] comma $5
            next
        }
        {
            step = $1 " " $2
            printf "| %s | `%s` | %d | %s | %s | %s |\n", $1, $2, $3,
                checks[step], hints[step], $4 == "optional" ? $4 : ""
        }' $WALKS "$1"
    cat <<END

## What a check costs

END
    awk -F '\t' '
        /^# / { print substr($0, 3); next }
        !rows++ { print "\n| chapter | first check | after an edit | again |" \
            "\n|---|--:|--:|--:|" }
        { printf "| %s | %.1f | %.1f | %.1f |\n", $1, $2, $3, $4 }' $TIMES
}

# Steps that three walks have not passed, and walks of what is no step.
not_walked() # LINES-FILE WALKS-FILE
{
    awk -F '\t' -v last=$LAST_WALKED '
        /^#/ { next }
        FNR == NR {
            if ($6 == "PASS") passed[$2 " " $3]++
            else print $2 " " $3 ": walk " $1 " ended in " $6
            walked[$2 " " $3]
            next
        }
        { seen[$1 " " $2] }
        $4 == "step" && ($1 < last || $1 == last && $2 == "forward") {
            n = passed[$1 " " $2] + 0
            if (n != 3) print $1 " " $2 " was passed by " n " walks of 3"
        }
        END {
            for (step in walked)
                if (!(step in seen)) print step " was walked and is no step"
        }' "$2" "$1"
}

too_long() # LINES-FILE
{
    awk -F '\t' -v most=$MOST '$3 > most {
        print $1 " " $2 " asks for " $3 " lines: give more, or cut it" }' "$1"
}

# The page shows every step, with its walks, and every time.
shown()
{
    page "$work/lines" >"$work/page"
    awk -F '\t' '{ print "| " $1 " | `" $2 "` | " $3 " |" }' "$work/lines" |
        while read -r row; do
            grep -qF "$row" "$work/page" || echo "the page has no $row"
        done
    grep -qF '| 01 | `program` | 12 | 2, 2, 1 | 0, 0, 0 |  |' "$work/page" ||
        echo "walks of 01 program are missing"
    [ "$(grep -c '^| [0-9][0-9] | [0-9.]* | [0-9.]* | [0-9.]* |$' \
        "$work/page")" -eq "$(grep -vc '^#' $TIMES)" ] ||
        echo "times are missing"
}

a_long_step_is_seen()
{
    awk -F '\t' -v OFS='\t' '$1 == "05" && $2 == "forward" { $3 = 61 } 1' \
        "$work/lines" >"$work/longer"
    too_long "$work/longer" | grep -q '^05 forward asks for 61 lines' ||
        echo "a step of 61 lines went unseen"
}

a_walk_that_failed_is_seen()
{
    sed '$s/PASS$/WRONG/' $WALKS >"$work/failed"
    not_walked "$work/lines" "$work/failed" | grep -q 'ended in WRONG' ||
        echo "a walk that ended in WRONG went unseen"
    grep -v '^1' $WALKS >"$work/two"
    not_walked "$work/lines" "$work/two" | grep -q 'by 2 walks of 3' ||
        echo "two walks are taken for three"
}

a_written_line_counts()
{
    mkdir -p "$work/tree"
    tar cf - chapters/05-* solutions/05-* common/cli | tar xf - -C "$work/tree"
    sed -i '0,/todo kernel/s/.*todo kernel.*/&\nint one_more;\n\n/' \
        "$work"/tree/solutions/05-*/forward.cu
    (cd "$work/tree" && sh "$OLDPWD/tests/steps/lines.sh") |
        awk '$2 == "forward" { print $3 }' >"$work/after"
    before=$(awk '$1 == "05" && $2 == "forward" { print $3 }' "$work/lines")
    [ "$(cat "$work/after")" = $((before + 1)) ] ||
        echo "$before lines and one more are $(cat "$work/after")"
}

sh tests/steps/lines.sh >"$work/lines" || exit 1
if [ "${1-}" = show ]; then
    page "$work/lines"
    exit
fi
quiet "a page shows all steps" shown
quiet "no step asks for more than $MOST lines" too_long "$work/lines"
quiet "a step that is too long is seen" a_long_step_is_seen
quiet "three walks passed every step" not_walked "$work/lines" $WALKS
quiet "a walk that failed is seen" a_walk_that_failed_is_seen
quiet "one more line is one more" a_written_line_counts
plan
