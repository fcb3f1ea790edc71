#!/bin/sh
# SPDX-License-Identifier: MIT
# grade.sh grade NN: checks a class's hand-ins of a chapter, each in a sandbox.
#
#   FROM=students/   a folder per hand-in, with the chapter's files in it. Its
#                    name is the student's, or STUDENT@TIME (2026-11-30T23:59),
#                    of which a student may have several
#   TO=grades/NN     where the results go; the default
#   JOBS=            how many at a time; one per processor, one on a GPU
#   POINTS=file      what a verdict is worth: common/cli/points
#   SEED=            of the inputs; drawn once for TO, and the same for all
#   ON=slurm         as jobs of a cluster: slurm.sh
#   SANDBOX=file     a script instead of sandbox.sh, called as it is
#
# For slurm.sh, in the environment that `grade` leaves: grade.sh names NN prints
# the hand-ins' paths, each ended by a NUL; grade.sh slice NN grades those in
# the file $HAND_INS, without a table.
#
# In TO (other programs may rely on this):
#
#   gradebook.csv    UTF-8, a row per student: student, verdict, points, of,
#                    days late, hand-in (the folder that counts), hand-ins (how
#                    many), then per kernel KERNEL (its verdict) and KERNEL
#                    points; last, reason. Points are empty while UNGRADED
#   similar.txt      for a human: hand-ins that are alike
#   reports/HAND-IN/ report.json (checker/report.schema.json; absent if nothing
#                    was checked) and report.txt for the grader; feedback.txt
#                    and feedback.html for the student, without the seed; last
#                    of all `result`: lines, separated by tabs, of `student S`,
#                    `time T`, `verdict V`, `reason R`, `again yes` (UNGRADED,
#                    and worth another try), `kernel NAME VERDICT POINTS OF`,
#                    `late DAYS LOST`, `sum POINTS OF`, `end .`
#   reports-gone/    of hand-ins that are no longer in FROM, so that nobody
#                    releases it with the rest; NAME.~1~ is older than NAME
#   .class/          ours: grade-one.sh describes it
#
# Verdicts are check's, and UNGRADED: the machine's fault or the workbook's,
# never the student's; what the machine could not do is tried twice more, alone,
# after all others. A kernel's can also be UNTOUCHED or NO_BETTER (see
# points.awk). Exit code 1: some rows are UNGRADED.
#
# It may be ended at any moment, and called again: what was checked stays,
# unless the hand-in, the workbook or the seed has changed.
. common/cli/lib.sh
. common/cli/graded.sh
. common/cli/grade-keys.sh
. common/cli/hand-in.sh
ROUNDS=${ROUNDS-2 3} # for what the machine could not do, each hand-in alone

# Once for the class -----------------------------------------------------------

prepare()
{
    [ -n "$FROM" ] || die \
        "make grade needs the hand-ins, a folder per student:" \
        "    make grade ${number#0} FROM=students/"
    [ -d "$FROM" ] || die "FROM=$FROM: there is no such folder"
    FROM=$(cd "$FROM" && pwd -P) || die "FROM=$FROM cannot be opened"
    [ -n "$(hand_ins | tr -d '\000')" ] || die "FROM=$FROM has no hand-in"
    is_number "$JOBS" && [ "$JOBS" -gt 0 ] ||
        die "JOBS=$JOBS: how many at a time, 1 or more"
    [ -z "$SEED" ] || is_number "$SEED" ||
        die "SEED=$SEED: a seed is a whole number"
    case $(realpath -m "$TO")/ in
    "$FROM"/*) die "TO=$TO is in FROM=$FROM: the grades would be taken for a" \
        "hand-in. Name another folder." ;;
    esac
    read_points
    case ${DEVICE:-sim} in
    sim | gpu | auto) ;;
    *) die "DEVICE=$DEVICE: sim, gpu or auto" ;;
    esac
    case ${ON-} in
    '' | slurm) ;;
    *) die "ON=$ON: jobs run here, or ON=slurm" ;;
    esac
    mkdir -p "$TO" || die "cannot make TO=$TO"
    TO=$(cd "$TO" && pwd) && [ -w "$TO" ] || die "cannot write to TO=$TO"
    CLASS=$TO/.class
    mkdir -p "$CLASS" && chmod 700 "$CLASS" || die "cannot write to TO=$TO"
    [ -s "$CLASS/chapter" ] || echo "$number" | keep chapter || exit
    [ "$(cat "$CLASS/chapter")" = "$number" ] ||
        die "TO=$TO has the grades of chapter $(cat "$CLASS/chapter")." \
            "Name another folder."
    say_new_points
    wait_for_the_last
    # A cluster's tasks hold no lock.
    [ ! -s "$CLASS/job" ] || CLASS=$CLASS sh common/cli/slurm.sh --end || exit
    rm -rf "$CLASS/work"
    mkdir -p "$CLASS/work" "$CLASS/checked" "$CLASS/build" "$TO/reports"
    fix_zone
    sh "$SANDBOX" "$CLASS/work" true || die \
        "make grade runs what students wrote, and only in a sandbox." \
        "Install bubblewrap, or grade on a system that allows namespaces."
    known=$(cat "$CLASS/seed" 2>/dev/null)
    if [ -n "$SEED" ]; then
        [ "${known:-$SEED}" = "$SEED" ] || echo "The class's seed was $known" \
            "and is $SEED now: every hand-in is graded again." >&2
        echo "$SEED" | keep seed || exit
    elif [ ! -s "$CLASS/seed" ]; then
        od -An -N4 -tu4 /dev/urandom | tr -d ' ' | keep seed || exit
    fi
    SEED=$(cat "$CLASS/seed")
    is_number "$SEED" || die "$CLASS/seed holds no seed: is the disk full?" \
        "If you know the class's seed, name it: SEED=..."
}

# Whoever forgets POINTS= the second time would get another scale.
say_new_points()
{
    before=$(cat "$CLASS/points" 2>/dev/null)
    [ "${before:-$POINTS}" = "$POINTS" ] || echo "The points were those of" \
        "POINTS=$before before, and are those of $POINTS now." >&2
    echo "$POINTS" | keep points || exit
}

is_number() # TEXT
{
    case $1 in '' | *[!0-9]* | ???????????????????*) return 1 ;; esac
}

read_points()
{
    points_are_right
    awk -f common/cli/settings.awk -v value_of=worth -v kernels="$kernels" \
        "$POINTS" >&2
    DEADLINE=$(awk -f common/cli/settings.awk -v value_of=deadline \
        -v known=x "$POINTS")
    [ -z "$DEADLINE" ] || DEADLINE=$(date -d "$DEADLINE" +%s) ||
        die "POINTS=$POINTS: this system's date does not take $DEADLINE"
}

# Of times in folders' names that have none; on the nodes of a cluster, too,
# whatever is theirs.
fix_zone()
{
    if [ ! "${TZ+set}" ] && [ -e /etc/localtime ]; then
        cp -L /etc/localtime "$CLASS/zone.new" &&
            mv "$CLASS/zone.new" "$CLASS/zone" || die \
            "This system's time zone could not be copied to TO=$TO. Is the" \
            "disk full? Nothing was graded."
        TZ=:$CLASS/zone
    fi
    export TZ="${TZ-UTC0}"
}

# One at a time in TO. A command that was killed may have left hand-ins at work,
# which end by themselves: they hold the lock, too.
wait_for_the_last()
{
    exec 8>"$CLASS/lock"
    flock -n 8 && return
    echo "Another make grade is at work in $TO; waiting for its end." >&2
    flock 8
}

# The class --------------------------------------------------------------------

# The hand-ins' paths, each ended by a NUL: all, or those in $HAND_INS.
names()
{
    if [ -n "${HAND_INS-}" ]; then
        cat "$HAND_INS"
    else
        hand_ins
    fi
}

# What was said of hand-ins that are no longer there.
put_gone_aside()
{
    {
        hand_ins >"$CLASS/all" &&
            LC_ALL=C sed -z 's|.*/||' <"$CLASS/all" >"$CLASS/here" &&
            LC_ALL=C sort -z -o "$CLASS/here" "$CLASS/here" &&
            find "$TO/reports" -mindepth 1 -maxdepth 1 -printf '%f\0' \
                >"$CLASS/told" &&
            LC_ALL=C sort -z -o "$CLASS/told" "$CLASS/told" &&
            LC_ALL=C comm -z -13 "$CLASS/here" "$CLASS/told" >"$CLASS/gone"
    } || die "The hand-ins in FROM=$FROM could not be listed in TO=$TO." \
        "Is the disk full?"
    gone=$(tr -cd '\000' <"$CLASS/gone" | wc -c)
    [ "$gone" -gt 0 ] || return 0
    echo "No longer in FROM=$FROM: $gone. What was said of them is in" \
        "$TO/reports-gone now." >&2
    mkdir -p "$TO/reports-gone" && (cd "$TO/reports" && xargs -0 \
        mv --backup=numbered -t ../reports-gone -- <"$CLASS/gone") ||
        die "cannot write to TO=$TO"
}

slice()
{
    # xargs ends with a hand-in's shell that is killed, and not with one around
    # it, whose exit code says so.
    # shellcheck disable=SC2086,SC2016 # words without blanks; the inner shell's
    names | $one_gpu xargs -0 -P "$JOBS" -I '{}' \
        sh -c 'sh common/cli/grade-one.sh "$@"; exit $?' sh "$number" '{}'
}

grade()
{
    prepare
    own_build
    make_keys
    set_limits
    try_starters
    unset SEED # an environment can be read
    GRADE_PID=$$
    put_gone_aside
    export BUILD CLASS TO POINTS DEADLINE DEVICE LIMIT WAIT STAGES GRADE_PID \
        JOBS SANDBOX kernels
    total=$(names | tr -cd '\000' | wc -c)
    begin=$(date +%s)
    touch "$CLASS/begin"
    rm -rf "$CLASS/seen" && mkdir "$CLASS/seen" ||
        die "cannot write to TO=$TO"
    jobs='' watcher=''
    rm -rf "$TO"/.slurm*
    unset ROUND ALONE
    trap 'stop; exit 130' INT TERM HUP
    watch_over 8>&- &
    watcher=$!
    await_all
    try_again
    kill $watcher 2>/dev/null
    conclude
}

await_all()
{
    case ${ON-} in
    '') slice & ;;
    *) sh "common/cli/$ON.sh" "$number" & ;;
    esac
    jobs=$!
    wait $jobs
}

# Nobody loses a point because the machine had too much to do.
try_again()
{
    for ROUND in $ROUNDS; do
        doubtful >"$CLASS/again"
        n=$(tr -cd '\000' <"$CLASS/again" | wc -c)
        [ "$n" -gt 0 ] || return
        echo "$n could not be graded for the machine's sake: again, one at a" \
            "time." >&2
        JOBS=1 ALONE=yes HAND_INS=$CLASS/again
        export JOBS ALONE HAND_INS ROUND
        await_all
    done
}

# The paths of hand-ins whose results say `again`, or are not whole, since what
# made them was killed; each ended by a NUL. A cluster's tasks may have been
# lost with the whole job: those the same command does again.
doubtful()
{
    # shellcheck disable=SC2016 # the inner shell's
    hand_ins | xargs -0 -r sh -c 'for path; do
        result=$TO/reports/${path##*/}/result
        if grep -q "^again	" "$result" ||
            { [ -z "$ON" ] && [ "$(tail -n 1 "$result")" != "end	." ]; }; then
            printf "%s\000" "$path"
        fi
    done 2>/dev/null' sh
}

# Exit code 1 if a row is open.
conclude()
{
    sh common/cli/gradebook.sh "$number"
    code=$?
    cat "$CLASS"/checked/*/cpu 2>/dev/null | awk '
        { sum += $1; if ($1 > most) most = $1 }
        END { if (NR) printf "%d checks took %.1f s of a processor each, " \
            "at most %.1f s\n", NR, sum / NR, most }'
    [ $code -gt 1 ] ||
        echo "$TO/gradebook.csv; similar.txt and a folder per hand-in beside it"
    exit $code
}

# All that runs below, then what is known by now.
stop()
{
    trap '' INT TERM HUP
    kill "$watcher" 2>/dev/null
    # shellcheck disable=SC2046 # numbers
    kill $(descendants "$jobs") "$jobs" 2>/dev/null
    wait "$jobs"
    sh common/cli/gradebook.sh "$number"
    echo "Stopped. The same command goes on from here." >&2
}

descendants() # PID
{
    cat /proc/"$1"/task/*/children 2>/dev/null | tr ' ' '\n' | grep . |
        while read -r child; do
            echo "$child"
            descendants "$child"
        done
}

# A line now and then: how many, and how long the rest may take.
watch_over()
{
    every=60 end='\n'
    [ ! -t 2 ] || every=5 end='\r'
    trap 'kill $nap; exit' TERM # or a pipe waits for the end of the nap, too
    while sleep $every & nap=$! && wait $nap &&
        kill -0 "$GRADE_PID" 2>/dev/null; do
        there=$(find "$TO/reports" -name result -printf x | wc -c)
        ready=$(find "$TO/reports" -name result -newer "$CLASS/begin" \
            -printf x | wc -c)
        spent=$(($(date +%s) - begin))
        [ "$ready" -eq 0 ] ||
            printf '%d of %d graded, about %d min left '"$end" "$there" \
                "$total" $((spent * (total - there) / ready / 60 + 1)) >&2
    done
}

number=$2
BUILD=${BUILD:-build}
TO=${TO:-grades/$number}
FROM=${FROM%/}
POINTS=${POINTS:-common/cli/points}
[ "${DEVICE-}" != gpu ] || JOBS=${JOBS:-1} # times are taken one after the other
one_gpu=
[ "${DEVICE-}" != gpu ] || one_gpu="sh common/cli/one-gpu.sh"
JOBS=${JOBS:-$(nproc)}
SANDBOX=${SANDBOX:-common/cli/sandbox.sh}
DEVICE=${DEVICE:-sim}
chapter=$(chapter_dir chapter "$number")
kernels=$(ordered "$chapter" | sed 's|.*/||; s|\.[^.]*$||' | paste -sd ' ' -)
# git reads a checkout that is another user's only if it is told so.
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD
export GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
export FROM
case $1 in
grade) grade ;;
names) names ;;
slice)
    GRADE_PID=$$ # of this machine
    export GRADE_PID
    slice ;;
esac
