#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SHARE SECONDS FOLDER: what chapters 23 and 24 want measured on an H200,
# in shares that can be run one by one; README.md says what each decides.
#
#   training    chapter 24's study, PyTorch beside it
#   fp32        the sweep of fp32 products
#   depthwise   the sweeps of the depthwise convolution, PyTorch beside them
#   bf16        the sweep of bf16 products
#
# From the checkout's root, with a carried build folder (BUILD); results go to
# FOLDER. PRIOR=FOLDER has the files of an earlier call, which are gone on with.
# RENEW="NAME ..." are candidates whose rows are left out of what the chapter
# has, since their kernels have changed.
set -u
share=$1
left=$2
out=$3
begun=$(date +%s)
home=$(sh common/cli/find-cuda.sh)
export CUDA_HOME="$home" PATH="$home/bin:$PATH" DEVICE=gpu
export BUILD="${BUILD:-build}"
prior=${PRIOR:-}
mkdir -p "$out" "$BUILD/sweep" "$BUILD/train"

say()
{
    echo "[$(($(date +%s) - begun)) s] $*"
}

rest()
{
    echo $((left - $(date +%s) + begun))
}

sweep_once() # SECONDS FILE OF
{
    TO=$2 OF=$3 BUDGET=$1 timeout $(($1 + 45)) sh common/cli/sweep.sh "$BUILD"
}

# The chapter's rows without those of RENEW.
of_chapter() # FILE.tsv
{
    awk -F '\t' -v renew="${RENEW:-}" '
        BEGIN {
            n = split(renew, name, " ")
            for (i = 1; i <= n; i++)
                left_out[name[i]] = 1
        }
        /^#/ || !($5 in left_out)' "chapters/23-shape-map/$1"
}

# Rows are added to what an earlier call, or the chapter, has. Another driver's
# rows have a file of their own.
sweep() # SECONDS FILE OF
{
    [ "$1" -gt 3 ] || return 0
    to=$out/$2
    if [ ! -f "$to" ] && [ -n "$prior" ] && [ -f "$prior/$2" ]; then
        cp "$prior/$2" "$to"
    elif [ ! -f "$to" ] && [ "$3" = fp32 ]; then
        of_chapter sweep.tsv >"$to"
    elif [ ! -f "$to" ] && [ "$3" = bf16 ]; then
        of_chapter sweep-bf16.tsv >"$to"
    fi
    say "$3, for $1 s"
    if ! sweep_once "$1" "$to" "$3" >"$to.log" 2>&1 &&
        grep -q '; now it is ' "$to.log"; then
        say "another driver, toolkit or power limit than before"
        mv "$to" "$out/before-$2"
        sweep_once "$(rest)" "$to" "$3" >>"$to.log" 2>&1
    fi
    tail -n 6 "$to.log"
}

training()
{
    export TO="$BUILD/train/study.jsonl"
    [ -z "$prior" ] || cp "$prior"/study.jsonl* "$BUILD/train/" 2>/dev/null
    MODEL=study PARTS=${PARTS:-curve gradients epoch batch peers} \
        SECONDS_LEFT=$((left - 25)) timeout -k 5 "$left" \
        sh common/cli/train.sh >"$out/study.log" 2>&1
    cp "$TO" "$TO.commit" "$BUILD/train/training.json" "$out/"
    grep -v '^{' "$out/study.log"
    grep -o '"run": .*' "$out/study.jsonl" | cut -c 1-120
}

# PyTorch is read while ours are measured, and waits for its arguments.
depthwise()
{
    go=$(mktemp -u)
    timeout "$left" python3 - "$go" >"$out/peers.log" 2>&1 <<'END' &
import os, runpy, sys, time
import torch
torch.cuda.init()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.1)
with open(sys.argv[1]) as words:
    sys.argv = ["sweep.py"] + words.read().split()
runpy.run_path("common/peers/dwconv/sweep.py", run_name="__main__")
END
    part=$(((left - 12) / 10))
    sweep $((part * 4)) depthwise-forward.tsv forward
    sweep $((part * 2)) depthwise-weight_grad.tsv weight_grad
    sweep $((part * 2)) depthwise-input_grad.tsv input_grad
    echo "$(($(rest) - 6))" "$out"/depthwise-*.tsv >"$go.new"
    mv "$go.new" "$go"
    wait
    cat "$out/peers.log"
}

case $share in
training | depthwise) $share ;;
fp32) PRUNE=4 FLAT=60 TRAIN=1800 MAP=12 sweep $((left - 8)) fp32.tsv fp32 ;;
bf16) PRUNE=4 FLAT=60 TRAIN=1800 MAP=0 sweep $((left - 8)) bf16.tsv bf16 ;;
*) echo "run.sh: no share is called $share" >&2 && exit 2 ;;
esac
say "$share is over"
