#!/bin/sh
# SPDX-License-Identifier: MIT
# slurm.sh NN: grades the hand-ins as a job array of Slurm. grade.sh calls it
# for ON=slurm, with its environment; the table is made by grade.sh, too.
#
#   slurm.sh NN          submits the array, and waits until none of it is left
#   slurm.sh --task NN   a task of it: the slice that $SLURM_ARRAY_TASK_ID names
#   slurm.sh --run COMMAND...
#                        runs the command on a node, and waits: for the solution
#   slurm.sh --end       ends the array that a call before this one has left
#
# JOBS is the number of tasks at a time. DEVICE=gpu asks for one whole GPU per
# task. Partition, account and time limit are given as Slurm has them:
# SBATCH_PARTITION=, SBATCH_ACCOUNT=, SBATCH_TIMELIMIT=. The workbook, FROM and
# TO must be seen by the nodes under the same paths.
#
# In TO/.slurm (.slurm-2, .slurm-3: of what is tried again): a list of hand-ins
# per task, and what the tasks said. For a GPU TO/clocks.csv has a line before
# and after each task. TO/.class/job is the array's name while it may be at
# work.
#
# The hard idea: Slurm's word on a task is not needed. A hand-in is graded when
# its result is there; a task that ran twice, or that a failing node ended, does
# the rest of its slice, and what is still missing is a row of the table.
. common/cli/lib.sh
SLICES=4      # per task at a time: a node that is lost loses a small one
PAUSE=${PAUSE:-5}   # seconds between two looks at the queue
PATIENCE=60   # looks without an answer
TURN='None|Priority|Resources|JobArrayTaskLimit|BeginTime|Cleaning'
MOST=1000     # tasks; what Slurm allows without being told otherwise

# The hand-ins, dealt out in turn to files 0000, 0001, ...
deal()
{
    rm -rf "$lists"
    mkdir -p "$lists" || die "cannot write to TO=$TO"
    sh common/cli/grade.sh names "$number" >"$lists/all" ||
        die "the hand-ins could not be listed in TO=$TO: is the disk full?"
    hand_ins=$(tr -cd '\000' <"$lists/all" | wc -c)
    tasks=$((JOBS * SLICES))
    [ $tasks -le $MOST ] || tasks=$MOST
    [ $tasks -le "$hand_ins" ] || tasks=$hand_ins
    [ "$tasks" -gt 0 ] || die "no hand-ins to grade"
    split --separator='\0' --number=r/"$tasks" --numeric-suffixes \
        --suffix-length=4 "$lists/all" "$lists/" || die "cannot write to TO=$TO"
}

submit()
{
    # In Slurm's names of files, %% is a percent sign.
    log=$(printf %s "$lists" | sed 's/%/%%/g')/%a.log
    set -- --parsable --job-name="$called" --array="0-$((tasks - 1))%$JOBS" \
        --requeue --export=ALL --chdir="$PWD" --output="$log" \
        --open-mode=append
    [ -z "$gpu" ] || set -- "$@" "$gpu"
    echo "$called" >"$CLASS/job" || die "cannot write to TO=$TO"
    job=$(sbatch "$@" --wrap="exec sh common/cli/slurm.sh --task $number") || {
        rm "$CLASS/job"
        die "sbatch did not take the job: nothing was graded"
    }
    job=${job%%;*}
    echo "Slurm job $job: $hand_ins hand-ins in $tasks tasks, $JOBS at a time" \
        >&2
}

# Why tasks wait, if it is not for their turn; said when it changes.
say_why()
{
    why=$(awk '$1 == "PENDING" { $1 = ""; print substr($0, 2) }' \
        "$lists/queue" | grep -vxE "(($TURN),?)+" | sort -u | paste -sd ';' -)
    [ "$why" = "${said-}" ] || [ -z "$why" ] ||
        echo "Slurm job $job waits: $why" >&2
    said=$why
}

await()
{
    misses=0
    while [ $misses -lt $PATIENCE ]; do
        if squeue --noheader --jobs="$job" --format='%T %r' \
            >"$lists/queue" 2>"$lists/words"; then
            [ -s "$lists/queue" ] || return 0
            misses=0
            say_why
        elif grep -q 'Invalid job id' "$lists/words"; then
            return 0 # ended so long ago that Slurm has forgotten it
        else
            misses=$((misses + 1))
        fi
        sleep "$PAUSE"
    done
    cat "$lists/words" >&2
    die "Slurm does not answer. Its job $job may still be at work; the same" \
        "command ends it, and goes on from there."
}

cancel()
{
    trap '' INT TERM HUP
    scancel --name="$called" --user="$(id -un)"
    exit 130
}

# Its tasks write to the folders that the next call empties.
end_the_last()
{
    called=$(cat "$CLASS/job")
    command -v scancel >/dev/null || die "Slurm's jobs called $called may" \
        "still be at work in TO=$TO. Grade where Slurm's commands are."
    echo "Slurm's jobs called $called are ended first." >&2
    for _ in $(seq $PATIENCE); do
        scancel --name="$called" --user="$(id -un)"
        ! left=$(squeue --noheader --name="$called") || [ -n "$left" ] || {
            rm "$CLASS/job"
            return
        }
        sleep "$PAUSE"
    done
    die "Slurm's jobs called $called do not end: nothing was graded."
}

smi() # FIELDS: of the task's GPU alone
{
    nvidia-smi ${CUDA_VISIBLE_DEVICES:+-i "$CUDA_VISIBLE_DEVICES"} \
        --format=csv,noheader --query-gpu="$1" >"$slice.smi"
}

clocks() # WHEN
{
    smi name,uuid,mig.mode.current,clocks.sm,clocks.max.sm,clocks.mem,\
temperature.gpu,clocks_throttle_reasons.active || {
        echo "nvidia-smi does not say the clocks" >&2
        return
    }
    sed "s/^/$SLURM_ARRAY_TASK_ID, $1, /" "$slice.smi" >>"$slice.clocks"
}

# A part of a GPU has other ceilings than chapter.conf speaks of. Who does not
# say what it is gets no work.
whole_gpu()
{
    smi uuid,mig.mode.current && [ -s "$slice.smi" ] ||
        die "no GPU answers on $(uname -n)"
    ! grep -q ', Enabled' "$slice.smi" ||
        die "$(uname -n) gave a part of a GPU: times are graded on a whole one"
    clocks before
}

task()
{
    [ -z "$gpu" ] || whole_gpu
    HAND_INS=$slice JOBS=1 \
        sh common/cli/grade.sh slice "$number"
    code=$?
    [ -z "$gpu" ] || clocks after
    return $code
}

# What sbatch reads from SBATCH_*, srun reads from SLURM_*.
as_sbatch()
{
    for name in PARTITION ACCOUNT TIMELIMIT QOS CONSTRAINT EXCLUSIVE \
        RESERVATION; do
        eval "value=\${SBATCH_$name-}"
        [ -z "$value" ] || export "SLURM_$name=$value"
    done
}

gpu=
[ "${DEVICE-}" != gpu ] || gpu=--gres=gpu:1
if [ "$1" = --run ]; then
    shift
    as_sbatch
    exec srun --quiet --ntasks=1 $gpu "$@"
fi
if [ "$1" = --end ]; then
    end_the_last
    exit
fi
lists=$TO/.slurm${ROUND:+-$ROUND} # what is tried again has jobs of its own
slice=$lists/$(printf %04d "${SLURM_ARRAY_TASK_ID:-0}")
if [ "$1" = --task ]; then
    number=$2
    task
    exit
fi
number=$1
called=warpbook-$number-$$-$(date +%s)
for program in sbatch srun squeue scancel; do
    command -v $program >/dev/null || die \
        "ON=slurm: $program is not here. Grade where Slurm's commands are."
done
deal
trap cancel INT TERM HUP
submit
await
rm "$CLASS/job"
[ -z "$gpu" ] || {
    echo "task, when, GPU, uuid, MIG, SM, SM at most, memory, C, throttled"
    cat "$TO"/.slurm*/*.clocks
} >"$TO/clocks.csv"
