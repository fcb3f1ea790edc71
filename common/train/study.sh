#!/bin/sh
# SPDX-License-Identifier: MIT
# study.sh: both studies of chapter 24 on this GPU, as lines of JSON in
# build/train/study.jsonl: a run per line, with its settings and what it
# printed; and all of them in build/train/training.json, which the book reads
# (book/lua/training.lua). `make train MODEL=study` builds first, and calls it.
#
#   PARTS="seeds curve gradients epoch batch peers"   which of its parts
#   BATCHES="1 2 4 8 16 32 64 128 256"   of the image model
#   SEEDS="1 2 3 4 5"                    whose accuracies are compared
#   TO=FILE                              instead of build/train/study.jsonl
#   SECONDS_LEFT=N                       begin nothing after so many seconds
#
# What the file has of this commit is not measured again: an interrupted study
# goes on where it was.
#
# The hard idea: a run takes a second to open the GPU and to make its data, and
# often less to be measured. So the next ones begin early, and each waits for
# its turn (common/train/main.c) before it touches the GPU's memory. PyTorch
# compiles from the start, and waits for its turn, too.
#
# The study's epoch: its naive and its fastest convolution differ by 92.5 ms a
# step and by 10.1 s an epoch, so an epoch has about 109 convolutions; here that
# is 27 steps of 4 blocks.
set -u
BUILD=${BUILD:-build}
to=${TO:-$BUILD/train/study.jsonl}
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
EPOCH=27
FEW=9 # steps where one takes long
PARTS=${PARTS:-seeds curve gradients epoch batch peers}
BATCHES=${BATCHES:-1 2 4 8 16 32 64 128 256}
LIMIT=90 # seconds per run: one that hangs must not keep the GPU
AHEAD=4  # runs that are there at a time: one at work, the others waiting
work=$to.work
begun=$(date +%s)
waiting=

first()
{
    "$@" 2>/dev/null | head -n 1
}

commit=${COMMIT:-$(first git rev-parse --short HEAD)}

is_over()
{
    [ $(($(date +%s) - begun)) -ge "${SECONDS_LEFT:-86400}" ]
}

is_there() # RUN SETTINGS [PEER]
{
    grep -F "\"run\": \"$1\", \"settings\": \"$2\"" "$to" |
        grep -qF "${3:-}"
}

row() # NAME MODEL SETTING...: a run of bin/train
{
    name=$1
    shift
    file=$(mktemp "$work/row.XXXXXX")
    timeout "$LIMIT" "$BUILD/bin/train" "$@" >"$file" || {
        echo "study.sh: bin/train $* failed" >&2
        rm -f "$file"
        return 1
    }
    awk -v gpu="$gpu" -v name="$name" -v settings="$*" '
        function more(list) { return list (list ? ", " : "") }
        $1 == "operation" { ops = more(ops) "\"" $2 "\": " $4; next }
        $1 == "loss" { losses = more(losses) "[" $2 ", " $3 "]"; next }
        NF == 2 { keys = keys ", \"" $1 "\": " $2 }
        END {
            printf "{\"gpu\": \"%s\", \"run\": \"%s\", ", gpu, name
            printf "\"settings\": \"%s\"%s", settings, keys
            if (name == "curve")
                printf ", \"losses\": [%s]", losses
            if (ops)
                printf ", \"operations_ms\": {%s}", ops
            print "}"
        }' "$file" >"$file.row"
    tee -a "$to" <"$file.row" # one write: rows end at any time
    rm -f "$file" "$file.row"
}

# A row, among the next ones; not if it is there, or the time is over.
later() # NAME MODEL SETTING...
{
    name=$1
    shift
    if is_there "$name" "$*" || is_over; then return; fi
    row "$name" "$@" &
    waiting="$waiting $!"
    # shellcheck disable=SC2086  # words
    set -- $waiting
    if [ $# -ge "$AHEAD" ]; then
        wait "$1"
        shift
    fi
    waiting=$*
}

all_done()
{
    for pid in $waiting; do
        wait "$pid"
    done
    waiting=
}

epoch()
{
    size="B=16384 H=128 L=48 K=48 blocks=4 batches=2"
    for conv in 9 8 7 6 5 4; do
        steps=$((EPOCH + 1))
        [ $conv -ge 6 ] || steps=$FEW
        for graph in 1 0; do
            # shellcheck disable=SC2086  # words
            later "epoch" s4 $size steps=$steps conv=$conv graph=$graph
        done
        # shellcheck disable=SC2086
        later "shares" s4 $size steps=3 conv=$conv each=1
    done
}

curve()
{
    later "curve" s4 B=256 H=32 L=48 K=48 blocks=3 batches=16 steps=800 graph=1
}

batch()
{
    for batch in $BATCHES; do
        steps=600
        [ "$batch" -lt 64 ] || steps=200
        for apart in 0 1; do
            for graph in 1 0; do
                later "batch" cnn B="$batch" channels=32 steps=$steps \
                    apart=$apart graph=$graph
            done
        done
    done
    later "cnn-shares" cnn B=256 channels=32 steps=3 apart=0 each=1
    later "cnn-shares" cnn B=16 channels=32 steps=3 apart=0 each=1
}

# Ten times through 5760 images: 90 batches of 64. No time is taken here.
seeds()
{
    turn=$TRAIN_TURN
    unset TRAIN_TURN
    for seed in ${SEEDS:-1 2 3 4 5}; do
        for apart in 1 0; do
            later "seeds" cnn B=64 channels=32 batches=90 steps=900 \
                apart=$apart graph=1 fashion=1 seed="$seed"
        done
    done
    all_done
    export TRAIN_TURN="$turn"
}

# Beside PyTorch's own gradients. No time is taken here.
gradients()
{
    if grep -qF '"run": "gradient"' "$to" || is_over; then return; fi
    timeout "$LIMIT" python3 common/train/gradients.py "$BUILD" \
        >"$work/gradients"
    sed "s/^{/{\"gpu\": \"$gpu\", \"run\": \"gradient\", /" "$work/gradients" |
        tee -a "$to"
}

# torch.compile takes seconds per model and batch, on one core. So all compile
# at once and then wait for the lock; they measure one after the other.
peers_begin()
{
    exec 9>"$work/turn"
    flock 9
    for peer in s4 $BATCHES; do
        settings="cnn B=$peer channels=32"
        [ "$peer" != s4 ] || settings="s4 B=16384 H=128 L=48 K=48 blocks=4"
        if is_there peer "$settings" '"compiled graph"'; then continue; fi
        timeout 300 python3 common/train/peer.py "$peer" "$gpu" \
            "$work/turn" "$work/$peer.ready" >"$work/peer.$peer" 9>&- &
    done
}

peers_wait() # until all that run have compiled
{
    waited=0
    for file in "$work"/peer.*; do
        while [ -f "$file" ] && [ $waited -lt "$LIMIT" ] &&
            [ ! -f "$work/${file##*/peer.}.ready" ]; do
            sleep 1
            waited=$((waited + 1))
        done
    done
}

peers_end()
{
    exec 9>&-
    wait
    for file in "$work"/peer.*; do
        [ ! -f "$file" ] || tee -a "$to" <"$file"
    done
}

[ "$(first cat "$to.commit")" = "$commit" ] || rm -f "$to"
echo "$commit" >"$to.commit"
touch "$to"
rm -rf "$work"
mkdir -p "$work"
export TRAIN_TURN="$work/train.turn"
case " $PARTS " in *" peers "*) peers_begin ;; esac
for part in $PARTS; do
    case $part in
    seeds | curve | gradients) $part ;;
    epoch | batch) ;;
    peers) ;;
    *) echo "study.sh: no part is called $part" >&2 && exit 2 ;;
    esac
done
all_done
case " $PARTS " in *" peers "*) peers_wait ;; esac
for part in $PARTS; do
    case $part in
    epoch | batch) $part ;;
    esac
done
all_done
case " $PARTS " in *" peers "*) peers_end ;; esac
rm -rf "$work"

# Where it comes from, and what else is needed to judge it.
driver=$(first nvidia-smi --query-gpu=driver_version --format=csv,noheader)
toolkit=$("${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" --version |
    sed -n 's/.*release \([0-9.]*\).*/\1/p')
{
    printf '{"version": 1, "provenance": {"gpu": "%s", "driver": "%s", ' \
        "$gpu" "$driver"
    printf '"toolkit": "%s", "date": "%s", "commit": "%s", ' "$toolkit" \
        "$(date -u +%Y-%m-%d)" "$commit"
    printf '"command": "make train MODEL=study"},\n"runs": [\n'
    sed '$!s/$/,/' "$to"
    printf ']}\n'
} >"$(dirname "$to")/training.json"
echo "study.sh: $to"
