#!/bin/sh
# SPDX-License-Identifier: MIT
# study.sh: both studies of chapter 24 on this GPU, as lines of JSON in
# build/train/study.jsonl: a run per line, with its settings and what it
# printed; and all of them in build/train/training.json, which the book reads
# (book/lua/training.lua). `make train MODEL=study` builds first, and calls it.
#
#   PARTS="epoch curve batch seeds peers"   which of its parts
#   BATCHES="1 2 4 8 16 32 64 128 256"      of the image model
#   SEEDS="1 2 3 4 5"                       whose accuracies are compared
#   TO=FILE                                 instead of build/train/study.jsonl
#
# The study's epoch: its naive and its fastest convolution differ by 92.5 ms a
# step and by 10.1 s an epoch, so an epoch has about 109 convolutions; here that
# is 27 steps of 4 blocks.
set -u
BUILD=${BUILD:-build}
to=${TO:-$BUILD/train/study.jsonl}
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
EPOCH=27
PARTS=${PARTS:-epoch curve batch seeds peers}
BATCHES=${BATCHES:-1 2 4 8 16 32 64 128 256}
LIMIT=90 # seconds per run: one that hangs must not keep the GPU

row() # NAME MODEL SETTING...: a run of bin/train
{
    name=$1
    shift
    timeout "$LIMIT" "$BUILD/bin/train" "$@" >"$to.run" || {
        echo "study.sh: bin/train $* failed" >&2
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
        }' "$to.run" | tee -a "$to"
}

first()
{
    "$@" 2>/dev/null | head -n 1
}

: >"$to"

epoch()
{
    size="B=16384 H=128 L=48 K=48 blocks=4 batches=2"
    for conv in 4 5 6 7 8 9; do
        for graph in 0 1; do
            # shellcheck disable=SC2086  # words
            row "epoch" s4 $size steps=$((EPOCH + 1)) conv=$conv graph=$graph
        done
        # shellcheck disable=SC2086
        row "shares" s4 $size steps=3 conv=$conv each=1
    done
}

curve()
{
    row "curve" s4 B=256 H=32 L=48 K=48 blocks=3 batches=16 steps=800 graph=1
}

batch()
{
    for batch in $BATCHES; do
        steps=1500
        [ "$batch" -lt 64 ] || steps=200
        for apart in 1 0; do
            for graph in 0 1; do
                row "batch" cnn B="$batch" channels=32 steps=$steps \
                    apart=$apart graph=$graph
            done
        done
    done
}

# Ten times through 5760 images: 90 batches of 64.
seeds()
{
    for seed in ${SEEDS:-1 2 3 4 5}; do
        for apart in 1 0; do
            row "seeds" cnn B=64 channels=32 batches=90 steps=900 \
                apart=$apart graph=1 fashion=1 seed="$seed"
        done
    done
}

# torch.compile takes seconds per model and batch, on one core. So all compile
# at once and then wait for the lock; they measure one after the other.
peers()
{
    rm -f "$to".peer.*
    exec 9>"$to.turn"
    flock 9
    for peer in s4 $BATCHES; do
        timeout "$LIMIT" python3 common/train/peer.py "$peer" "$gpu" \
            "$to.turn" "$to.peer.$peer.ready" >"$to.peer.$peer" 9>&- &
    done
    waited=0
    for peer in s4 $BATCHES; do
        while [ ! -f "$to.peer.$peer.ready" ] && [ $waited -lt "$LIMIT" ]; do
            sleep 1
            waited=$((waited + 1))
        done
    done
    exec 9>&-
    wait
    for peer in s4 $BATCHES; do
        tee -a "$to" <"$to.peer.$peer"
    done
    rm -f "$to".peer.* "$to.turn"
}

for part in $PARTS; do
    case $part in
    epoch | curve | batch | seeds | peers) $part ;;
    *) echo "study.sh: no part is called $part" >&2 && exit 2 ;;
    esac
done
rm -f "$to.run"

# Where it comes from, and what else is needed to judge it.
driver=$(first nvidia-smi --query-gpu=driver_version --format=csv,noheader)
toolkit=$("${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" --version |
    sed -n 's/.*release \([0-9.]*\).*/\1/p')
commit=${COMMIT:-$(first git rev-parse --short HEAD)}
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
