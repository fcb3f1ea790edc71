#!/bin/sh
# SPDX-License-Identifier: MIT
# big.sh: `make test-class`, a class of STUDENTS (400) from SEED, graded with
# JOBS. A third of the way all of it is killed at once; at two thirds it is
# asked to stop; the third call ends it. Then every row must be as expected and
# nothing may be left behind. TAP, and the figures as comments.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
STUDENTS=${STUDENTS:-400}
JOBS=${JOBS:-$(nproc)}
work=${WHERE:-$(mktemp -d)}
grades=$work/grades
BUILD=${BUILD:-build} DEVICE=sim FROM=$work/students TO=$grades
SEED=${SEED:-1}
export BUILD DEVICE FROM TO JOBS SEED
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
mkdir "$work/tmp"
export TMPDIR="$work/tmp"

start() # in a session of its own
{
    setsid sh common/cli/grade.sh grade 05 >"$work/out.$1" 2>&1 &
    group=$!
}

graded()
{
    find "$grades/reports" -name result -printf x 2>/dev/null | wc -c
}

wait_for() # N
{
    while [ "$(graded)" -lt "$1" ] && kill -0 $group 2>/dev/null; do
        sleep 1
    done
}

# Each of these leaves its exit code in $code.

killed()
{
    wait_for $((STUDENTS / 3))
    kill -s KILL -- "-$group"
    wait "$group"
    code=$?
    graded >"$work/count"
}

stopped()
{
    wait_for $((STUDENTS * 2 / 3))
    kill -s TERM "$group"
    wait "$group"
    code=$?
    find "$grades/reports" -name result -exec sha256sum {} + >"$work/kept"
}

ended()
{
    wait "$group"
    code=$?
}

code_is() # CODE
{
    [ "$code" -eq "$1" ] || echo "exit code $code"
}

row_for_each()
{
    code_is 130
    rows=$(($(wc -l <"$grades/gradebook.csv") - 1))
    [ $rows -eq "$STUDENTS" ] || echo "$rows rows, not $STUDENTS"
    grep -q 'UNGRADED.*ended before it was graded' "$grades/gradebook.csv" ||
        echo "no row says that it was not graded yet"
}

goes_on()
{
    code_is 0
    [ "$code" -eq 0 ] || tail -n 3 "$work/out.3"
    sha256sum --quiet -c "$work/kept" 2>&1
}

as_expected()
{
    awk -f tests/grade/rows.awk "$work/expected" "$grades/gradebook.csv"
}

# This script and who called it, with this folder among their arguments.
callers()
{
    pid=$$
    while [ "$pid" -gt 1 ]; do
        echo "$pid"
        pid=$(awk '/^PPid:/ { print $2 }' /proc/"$pid"/status)
    done
}

nothing_left()
{
    left=$(pgrep -af "$work")
    echo "$left" | grep -vE "^($(callers | paste -sd '|' -)) |big\.sh|^\$"
    grep "$work" /proc/mounts
    ls "$grades/.class/work"
    ls "$TMPDIR"
}

# Those who handed in the same bytes, or renamed everything. In the gradients
# the step from starter to solution is too small to pair anybody by.
pairs_found()
{
    sed -n '/^forward$/,/^$/p' "$grades/similar.txt" | grep -q 'equal, ' ||
        cat "$grades/similar.txt"
}

sh tests/grade/class.sh "$work" "$STUDENTS" "$SEED" || exit
sort "$work/kinds" | uniq -c | awk '{ printf "%s%s %s", (NR > 1 ? ", " : "# "),
    $1, $2 } END { print "" }'
begin=$(date +%s)
start 1
killed
quiet "killed with all that it had started" code_is 137
echo "# $(cat "$work/count") were graded by then"
start 2
stopped
quiet "asked to stop: a row for each" row_for_each
start 3
ended
quiet "the third call ends it, and keeps what was there" goes_on
echo "# $(($(date +%s) - begin)) s in all; $(grep checks "$work/out.3")"
quiet "every row as expected" as_expected
quiet "equal hand-ins are paired" pairs_found
quiet "no process, mount or file is left" nothing_left
plan
