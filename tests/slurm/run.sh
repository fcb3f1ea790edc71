#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests `make grade ON=slurm` as TAP, with stand-ins for Slurm's commands: what
# they are asked for, and that the table is the same as without them whatever
# they do. cluster.sh tests the same on a real Slurm.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
export BUILD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
FAKE=$work/fake
PATH=$PWD/tests/slurm/fake:$PATH
CUDA_VISIBLE_DEVICES=0
export FAKE PATH CUDA_VISIBLE_DEVICES
mkdir "$FAKE"

student() # NAME VERDICT EXIT-CODE PASSED
{
    mkdir -p "$work/class/$1"
    # Not what was handed out, or it earns nothing.
    echo "int $2;" >"$work/class/$1/add.cu"
    cat >"$work/class/$1/report.h" <<END
{"schema_version": 1, "chapter": 1, "kind": "chapter", "source": "/handin",
 "source_sha256": "", "toolkit": "", "seed": 1, "verdict": "$2",
 "owner": "you", "exit_code": $3, "kernels": [{"name": "add",
 "verdict": "$2", "owner": "you", "runs": [{"device": {"kind": "sim",
 "name": "H200"}, "correct": {"planned": 8, "cases": 8,
 "passed": $4}}]}]}
END
}

grade() # OPTION...: as make grade would call it
{
    env FROM="$work/class" TO="$work/slurm" SEED=1 JOBS=2 PAUSE=0.1 \
        SANDBOX=tests/slurm/instant.sh DEVICE=sim "$@" \
        sh common/cli/grade.sh grade 01 >"$work/out" 2>"$work/err"
}

# A result that is there, with the key of the run before, is not made again.
again()
{
    find "$work/slurm" -name result -exec rm {} +
    rm -f "$FAKE"/ended "$FAKE"/lose "$FAKE"/refuse "$FAKE"/hang \
        "$FAKE"/mig "$FAKE"/queue
}

# Whatever became of the job, its tasks go on.
tasks_end()
{
    until [ -f "$FAKE/ended" ]; do sleep 0.1; done
}

asked()
{
    grep -qxe "$1" "$FAKE/options" || {
        echo "sbatch was not given $1, but"
        cat "$FAKE/options"
    }
}

same_table()
{
    cmp "$work/here/gradebook.csv" "$work/slurm/gradebook.csv"
}

class_of_ten()
{
    for i in 1 2 3; do
        student "s$i" WRONG 17 $i
    done
    student "O'Neil, \"Zoë\"" PASS 0 8
    student 'two  blanks' CRASH 13 0
    student '100% sure' TECHNIQUE 19 8
    mkdir "$work/class/nothing"
    grade TO="$work/here" || cat "$work/err"
    [ "$(wc -l <"$work/here/gradebook.csv")" -eq 8 ] ||
        cat "$work/here/gradebook.csv"
}

as_an_array()
{
    cp -R "$work/here" "$work/slurm" # the solution is tried once
    rm -rf "$work/slurm/.class/checked"
    again
    grade ON=slurm || cat "$work/err" "$FAKE/log"
    same_table
    asked '--array=0-6%2'
    asked --requeue
    asked --export=ALL
    ! grep gres "$FAKE/options"
    grep -q 'Slurm job 7: 7 hand-ins in 7 tasks, 2 at a time' "$work/err" ||
        cat "$work/err"
}

# Each hand-in is in one list, and all of them are.
dealt_out()
{
    cat "$work"/slurm/.slurm/0* | tr '\0' '\n' | sort >"$work/dealt"
    find "$work/class" -mindepth 1 -maxdepth 1 | sort | cmp - "$work/dealt"
}

lost_task()
{
    again
    echo 3 >"$FAKE/lose"
    grade ON=slurm && echo "exit code 0, though a task never ran"
    [ "$(grep -c 'UNGRADED.*ended before' "$work/slurm/gradebook.csv")" -eq \
        1 ] || cat "$work/slurm/gradebook.csv"
    [ "$(wc -l <"$work/slurm/gradebook.csv")" -eq 8 ] ||
        echo "not a row for each"
    rm "$FAKE/lose"
    grade ON=slurm || cat "$work/err"
    same_table
}

# What the machine could not do is a job array of its own, twice, one at a time.
tried_again()
{
    student doubtful TIMEOUT 14 3
    sed -i 's/"you"/"machine"/' "$work/class/doubtful/report.h"
    again
    grade ON=slurm && echo "exit code 0"
    grep -q '^doubtful,UNGRADED,.*TIMEOUT, and the machine.*(tried 3 times)' \
        "$work/slurm/gradebook.csv" || cat "$work/slurm/gradebook.csv"
    [ "$(grep -c ' 1 hand-ins in 1 tasks, 1 at a' "$work/err")" -eq 2 ] ||
        cat "$work/err"
    asked '--array=0-0%1'
    rm -r "$work/class/doubtful" "$work/slurm/reports/doubtful"
    grade ON=slurm || cat "$work/err"
    same_table
}

refused()
{
    again
    touch "$FAKE/refuse"
    grade ON=slurm && echo "exit code 0, though sbatch took no job"
    grep -q 'sbatch did not take the job' "$work/err" || cat "$work/err"
    grep -q 'no partition' "$work/err" || cat "$work/err"
    again
}

no_answer()
{
    touch "$FAKE/hang"
    printf '#!/bin/sh\necho gone >&2\nexit 1\n' >"$work/squeue"
    chmod +x "$work/squeue"
    grade ON=slurm PAUSE=0 PATH="$work:$PATH" && echo "exit code 0"
    grep -q 'Slurm does not answer. Its job 7' "$work/err" || cat "$work/err"
    tasks_end
    again
}

submitted() # waits for it
{
    for _ in $(seq 200); do
        ! grep -q 'Slurm job' "$work/err" 2>/dev/null || return 0
        sleep 0.1
    done
}

shown() # LINE: the queue, until it has been looked at
{
    echo "$1" >"$FAKE/queue"
    rm -f "$FAKE/seen"
    until [ -f "$FAKE/seen" ]; do sleep 0.1; done
}

says_why()
{
    touch "$FAKE/hang"
    : >"$work/err"
    (
        submitted
        shown 'PENDING JobArrayTaskLimit,None'
        shown 'PENDING Nodes are DOWN, DRAINED or reserved'
        tasks_end
        rm "$FAKE/queue"
    ) &
    grade ON=slurm || cat "$work/err"
    wait
    [ "$(grep 'waits:' "$work/err")" = \
        'Slurm job 7 waits: Nodes are DOWN, DRAINED or reserved' ] ||
        cat "$work/err"
    again
}

ended_midway() # SIGNAL: to all that is at work here
{
    touch "$FAKE/hang"
    : >"$work/err"
    FROM=$work/class TO=$work/slurm SEED=1 JOBS=2 PAUSE=0.1 ON=slurm \
        SANDBOX=tests/slurm/instant.sh DEVICE=sim \
        setsid sh common/cli/grade.sh grade 01 >"$work/out" 2>"$work/err" &
    submitted
    tasks_end # the stand-in's are of the same session
    rm -f "$FAKE/cancelled" # by the call's beginning
    kill -"$1" -$!
    wait $! 2>/dev/null # and do not say that it was killed
    code=$?
}

was_cancelled()
{
    grep -q -- '--name=warpbook-01-' "$FAKE/cancelled" ||
        echo "the job was not cancelled"
}

cancelled() # SIGNAL
{
    ended_midway "$1"
    [ $code -eq 130 ] || echo "exit code $code"
    was_cancelled
    again
}

# The tasks of a command that could not cancel them go on.
left_alone()
{
    ended_midway KILL
    [ ! -f "$FAKE/cancelled" ] || echo "killed, and it could cancel"
    again
    grade ON=slurm || cat "$work/err"
    was_cancelled
    same_table
    rm -f "$FAKE/cancelled"
    again
    grade ON=slurm || cat "$work/err"
    [ ! -f "$FAKE/cancelled" ] || echo "cancelled what had ended"
}

whole_gpus()
{
    grade ON=slurm DEVICE=gpu || cat "$work/err" "$FAKE/log"
    asked --gres=gpu:1
    grep -q -- '--gres=gpu:1 .*/check solution 1 ' "$FAKE/run" ||
        echo "the solution was not tried on a GPU"
    ! grep -e '--seed [0-9]' "$FAKE/run" || echo "everybody sees the seed"
    [ "$(grep -c 1980 "$work/slurm/clocks.csv")" -eq 14 ] ||
        cat "$work/slurm/clocks.csv"
    again
    touch "$FAKE/mig"
    grade ON=slurm DEVICE=gpu && echo "graded on a part of a GPU"
    grep -q 'gave a part of a GPU' "$FAKE/log" || cat "$FAKE/log"
    again
    touch "$FAKE/mute"
    grade ON=slurm DEVICE=gpu && echo "graded on a GPU that does not answer"
    grep -q 'no GPU answers' "$FAKE/log" || cat "$FAKE/log"
    rm "$FAKE/mute"
    again
}

# Whatever TO is, times on a GPU are taken one after the other.
one_at_a_time()
{
    touch "$work/card"
    flock "$work/card" sh -c 'until [ -f "$FAKE/go" ]; do sleep 0.1; done' &
    sleep 0.3
    : >"$work/err"
    grade ON=slurm DEVICE=gpu GPU_LOCK="$work/card" &
    for _ in $(seq 100); do
        ! grep -q 'work on this GPU' "$FAKE/log" || break
        sleep 0.1
    done
    grep -q 'work on this GPU' "$FAKE/log" || echo "nobody waits"
    ls "$work/slurm/reports"/*/result 2>/dev/null
    touch "$FAKE/go"
    wait
    [ "$(find "$work/slurm" -name result | wc -l)" -eq 7 ] || cat "$work/err"
    again
    grade ON=slurm DEVICE=gpu GPU_LOCK="$work/none"
    grep -q 'No lock for this GPU' "$FAKE/log" || cat "$FAKE/log"
    again
}

# srun reads other variables than sbatch.
same_place()
{
    rm -f "$work/slurm/.class/key" # the solution is tried again
    again
    grade ON=slurm SBATCH_PARTITION=class SBATCH_ACCOUNT='a b' \
        SBATCH_TIMELIMIT=7 SBATCH_EXCLUSIVE=user || cat "$work/err"
    for one in PARTITION=class 'ACCOUNT=a b' TIMELIMIT=7 EXCLUSIVE=user; do
        grep -qx "SLURM_$one" "$FAKE/run-env" || echo "not $one"
    done
    ! grep SLURM_QOS "$FAKE/run-env"
}

# What limits hang on is the solution's own time, on the node.
its_own_time()
{
    rm -f "$work/slurm/.class/key"
    again
    echo 3 >"$FAKE/wait"
    grade ON=slurm || cat "$work/err"
    rm "$FAKE/wait"
    awk -F '[ms ]+' 'NR == 2 && 60 * ($1 + $3) + $2 + $4 > 0.1 { good = 1 }
        END { exit !good }' "$work/slurm/.class/times" ||
        cat "$work/slurm/.class/times"
    [ "$(cat "$work/slurm/.class/reference")" -le \
        $(($(cat "$FAKE/took") - 2)) ] || echo "the queue's time counts"
}

nowhere()
{
    grade ON=moon
    [ $? -eq 2 ] || echo "exit code not 2"
    grep -q 'ON=moon' "$work/err" || cat "$work/err"
}

quiet "a class, graded here" class_of_ten
quiet "the same table by a job array" as_an_array
quiet "each hand-in is in one task" dealt_out
quiet "a task that never ran: its row says so, and is made up for" lost_task
quiet "what the machine could not do is tried again" tried_again
quiet "a job that is not taken" refused
quiet "a queue that does not answer" no_answer
quiet "why tasks wait" says_why
quiet "ended midway, the job is cancelled" cancelled TERM
quiet "without its terminal, too" cancelled HUP
quiet "killed, the next call cancels it" left_alone
quiet "on a GPU: a whole one, with its clocks" whole_gpus
quiet "a GPU has one grader at a time" one_at_a_time
quiet "the solution runs where sbatch is told to" same_place
quiet "the solution's time is taken on its node" its_own_time
quiet "no other engine" nowhere
plan
