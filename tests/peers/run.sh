#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make bench` writes of the peers, as TAP: its schema holds, a peer that
# is not here is named with its reason, and none stops another. Needs no GPU.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
schema=common/peers/peers.schema.json
sample=tests/peers/sample
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

to_json() # LINES
{
    awk -f common/peers/json.awk "$1"
}

valid() # FILE
{
    words=$(jsonschema -i "$1" $schema 2>&1) || echo "$1: $words"
}

sample_holds()
{
    to_json $sample >"$work/sample.json" || echo "json.awk failed"
    valid "$work/sample.json"
    grep -q '"why": "out of \\"memory\\", it says"' "$work/sample.json" ||
        echo "the reason is not there as it was said"
    grep -q '"median": 2.5, "low": 2.4, "high": 2.6' "$work/sample.json" ||
        echo "the interval is not there"
}

committed_hold()
{
    for file in book/results/*/peers.json; do
        valid "$file"
    done
}

refused() # SED-SCRIPT: a sample so changed must not hold
{
    sed "$1" $sample >"$work/bad"
    cmp -s $sample "$work/bad" && echo "the change changed nothing: $1"
    to_json "$work/bad" >"$work/bad.json" 2>/dev/null &&
        [ -z "$(valid "$work/bad.json")" ] && echo "it holds: $1"
}

wrong_ones_are_refused()
{
    refused 's/^row study.forward.copy 0.2/& 7/'
    refused 's/^row study.forward.copy 0.2/row study\/forward\/copy -0.2/'
    refused 's/ 0.19 / nan /'
    refused 's/^row study.forward.pytorch /row study\/forward\/numpy /'
    refused 's/^about commit.*//'
    refused 's/^version/Traceback/'
}

bench_stages() # what this machine, whose GPU we do not use, may say
{
    mkdir -p "$work/bin"
    printf '#!/bin/sh\necho "row study/forward/copy 0.2 0.1 0.3 40 0"\n' \
        >"$work/bin/bench-stages"
    chmod +x "$work/bin/bench-stages"
}

fake_python() # SCRIPT
{
    mkdir -p "$work/path"
    printf '#!/bin/sh\n%s\n' "$1" >"$work/path/python3"
    chmod +x "$work/path/python3"
}

measure() # PATH: peers.sh with a stand-in for our own stages
{
    PATH=$1 CUDNN_HOME='' sh common/peers/peers.sh "$work" "$work/no-cuda" \
        "gpu none" "driver 1" "toolkit 13.0" "date 2026-01-31" "commit 1" \
        >"$work/peers.json" 2>/dev/null || echo "peers.sh failed"
    valid "$work/peers.json"
}

says() # TEXT...: in the last results
{
    for text; do
        grep -qF -- "$text" "$work/peers.json" || {
            echo "not said: $text"
            cat "$work/peers.json"
        }
    done
}

crashing_peer()
{
    fake_python 'case $1 in -c) exit 1 ;; esac
        echo "row study/forward/pytorch 2 1 3 30 0"
        echo "CUDA went away" >&2
        exit 3'
    measure "$work/path:$PATH"
    says '"study/forward/pytorch"' '"study/forward/copy"' \
        '"name": "pytorch", "why": "the rest of it: exit code 3: CUDA went'
}

absent_peers()
{
    fake_python 'case $1 in -c) exit 1 ;; esac
        echo "absent pytorch No module named torch"'
    measure "$work/path:$PATH"
    says '"why": "No module named torch"'
    [ -f /usr/include/cudnn.h ] || says '"name": "cudnn", "why": "no cudnn.h'
}

real_ones_without_a_gpu()
{
    "$build/bin/bench-stages" "$build" small "B1 H2 L3 K4" >"$work/out" 2>&1 ||
        echo "bench-stages failed"
    for path in forward input_grad weight_grad; do
        grep -qE "^(absent|row) small/$path/chapter-[0-9][0-9] ." "$work/out" ||
            echo "no line for $path"
    done
    python3 common/peers/pytorch.py small "B1 H2 L3 K4" >"$work/out" 2>&1
    grep -qE '^(absent|row|version) .' "$work/out" || cat "$work/out"
}

no_gpu_is_said()
{
    mkdir -p "$work/path"
    printf '#!/bin/sh\nexit 9\n' >"$work/path/nvidia-smi"
    chmod +x "$work/path/nvidia-smi"
    PATH=$work/path:$PATH sh common/cli/bench.sh "$build" /none \
        >"$work/out" 2>&1 && echo "make bench without a GPU went through"
    grep -q 'nvidia-smi finds none' "$work/out" || cat "$work/out"
}

bench_stages
if command -v jsonschema >/dev/null; then
    quiet "the lines become JSON that holds the schema" sample_holds
    quiet "committed results hold it" committed_hold
    quiet "what is no result is refused" wrong_ones_are_refused
    quiet "a peer that crashes keeps its rows and stops none" crashing_peer
    quiet "absent peers are named with the reason" absent_peers
else
    skip "the schema of the peers' results" "no jsonschema here"
fi
quiet "without a GPU each peer still answers" real_ones_without_a_gpu
quiet "make bench without a GPU says so" no_gpu_is_said
plan
