#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make bench` writes, as TAP: peers' files hold their schema, a peer that
# is not here is named with its reason, none stops another, and a part that is
# measured again replaces that part alone. Needs no GPU: stand-ins measure.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
schema=common/peers/peers.schema.json
sample=tests/peers/sample
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset PEERS N COMMIT

about() # the provenance of what is measured here
{
    set -- 'gpu=TEST "GPU"' driver=1.2 toolkit=13.0 date=2026-01-31 \
        commit=0123abc 'command=make bench PEERS="a b"'
    "$build/bin/bench-results" peers "$work/out.json" "$@"
}

valid() # FILE
{
    all_valid $schema "$1"
}

# All in one process; which of them is wrong is said by each alone.
all_valid() # SCHEMA FILE...
{
    by=$1
    shift
    n=$#
    for file; do set -- "$@" -i "$file"; done
    shift "$n"
    [ $n -gt 1 ] && jsonschema "$@" "$by" >/dev/null 2>&1 && return
    while [ $# -gt 0 ]; do
        words=$(jsonschema -i "$2" "$by" 2>&1) || echo "$2: $words"
        shift 2
    done
}

sample_holds()
{
    about <$sample || echo "bench-results failed"
    valid "$work/out.json"
    "$build/bin/check" --facts "$work/out.json" >"$work/leaves"
    for leaf in 'provenance/gpu	TEST "GPU"' \
        'absent/study/weight_grad/fft/why	out of "memory", it says' \
        'rows/study/forward/pytorch/ms/low	2.3999999999999999' \
        'rows/study/forward/pytorch/scratch_bytes	4096' \
        'labels/pytorch/label	PyTorch, padded before'; do
        grep -qF "$leaf" "$work/leaves" || echo "not there: $leaf"
    done
}

committed_hold()
{
    all_valid $schema book/results/*/peers-*.json
    all_valid checker/report.schema.json book/results/*/solution-*.json
}

refused() # SED-SCRIPT: a sample so changed must not hold
{
    rm -f "$work/out.json"
    sed "$1" $sample >"$work/bad"
    cmp -s $sample "$work/bad" && echo "the change changed nothing: $1"
    about <"$work/bad" 2>/dev/null && [ -z "$(valid "$work/out.json")" ] &&
        echo "it holds: $1"
}

wrong_ones_are_refused()
{
    refused 's/^row study.forward.copy 0.2/& 7 8/'
    refused 's/ 4096$/ 4096.5/'
    refused 's/ 4096$/ -1/'
    refused 's/ 4096$/ 4096 1/'
    refused 's/^row study.forward.copy 0.2/row study\/forward\/copy -0.2/'
    refused 's/ 0.19 / nan /'
    refused 's/ 0.19 / 0.19x /'
    refused 's/^row study.forward.pytorch /row study\/forward\/numpy /'
    refused 's/^row study.forward.pytorch /row study\/pytorch /'
    refused '/^label copy/d'
    refused 's/^version/Traceback/'
    refused 's/B16384 H128/16384 128/'
    "$build/bin/bench-results" peers "$work/out.json" gpu=1 commit= \
        <$sample 2>/dev/null && echo "an empty commit went through"
    about <$sample
    sed 's/"rows"/"raws"/' "$work/out.json" >"$work/bad.json"
    all_valid $schema "$work/out.json" "$work/bad.json" >"$work/said"
    grep -q "^$work/bad.json: " "$work/said" &&
        ! grep "^$work/out.json: " "$work/said" ||
        echo "one wrong file among others is not told from them"
}

# A tree of its own, with stand-ins for what would need a GPU.
tree()
{
    mkdir -p "$work/tree/build/bin" "$work/tree/book" "$work/path" \
        "$work/cuda/bin"
    cp -R chapters common solutions "$work/tree"
    # One family alone: the stand-in below says the same whatever it is asked.
    rm -rf "$work"/tree/chapters/01* "$work"/tree/chapters/[1-9]* \
        "$work"/tree/solutions/01* "$work"/tree/solutions/[1-9]*
    cp -R book/results "$work/tree/book/results"
    cp "$build/bin/bench-results" "$work/tree/build/bin"
    stand_in "$work/tree/build/bin/bench-stages" \
        'echo "label copy float4 copy"; echo "label ours ours, newest"
        echo "row study/forward/copy 0.2 0.1 0.3 40 0"
        echo "row study/forward/chapter-09 0.4 0.3 0.5 40 0"'
    stand_in "$work/path/nvidia-smi" 'case $* in
        *=name*) echo NVIDIA H200 ;; *) echo 999.1 ;; esac'
    stand_in "$work/cuda/bin/nvcc" 'case $* in
        *--version*) echo "Cuda, release 13.7, V13.7.1"; exit ;; esac
        while [ "$1" != -o ]; do shift; done
        printf "#!/bin/sh\necho long_1_ms 2.5\n" >"$2"; chmod +x "$2"'
    stand_in "$work/tree/build/bin/check" \
        'echo "check $*" >>ran; n=$2; while [ "$1" != --json ]; do shift; done
        sed "s/\"seed\": [0-9]*/\"seed\": 4711/" \
            book/results/nvidia-h200/solution-$n.json >"$2"'
}

stand_in() # PATH SCRIPT
{
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

fake_python() # SCRIPT
{
    stand_in "$work/path/python3" "case \$1 in -c) exit 1 ;; esac
$1"
}

bench() # NAME=VALUE...: make bench in the tree, with the stand-ins
{
    (cd "$work/tree" && rm -f ran && env PATH="$work/path:$PATH" CUDNN_HOME= \
        COMMIT=fedcba9 "$@" sh common/cli/bench.sh build "$work/cuda" \
        >"$work/said" 2>&1)
}

peers_now() # measures the peers alone: sets $json, of pytorch
{
    bench PEERS="ours pytorch cudnn" || cat "$work/said"
    json=$work/tree/book/results/nvidia-h200/peers-dwconv-pytorch.json
}

says() # FILE LEAF...: printed by check --facts
{
    "$build/bin/check" --facts "$1" >"$work/leaves"
    shift
    for text; do
        grep -qF -- "$text" "$work/leaves" || {
            echo "not said: $text"
            grep -v '^rows' "$work/leaves"
        }
    done
}

crashing_peer()
{
    fake_python 'echo "label pytorch PyTorch"
        echo "row study/forward/pytorch 2 1 3 30 0"
        echo "CUDA went away" >&2
        exit 3'
    peers_now
    valid "$json"
    says "$json" 'rows/study/forward/pytorch/ms/median	2' \
        'absent/pytorch/why	the rest of it: exit code 3: CUDA went'
    says "${json%pytorch.json}ours.json" 'rows/study/forward/copy/ms/median' \
        'provenance/commit	fedcba9'
}

absent_peers()
{
    cp -R book/results/. "$work/tree/book/results"
    fake_python 'echo "absent pytorch No module named torch"'
    peers_now
    grep -q 'pytorch.json stays as it was: No module named torch' \
        "$work/said" || cat "$work/said"
    cmp "$json" book/results/nvidia-h200/peers-dwconv-pytorch.json
    rm "$json"
    peers_now
    valid "$json"
    says "$json" 'absent/pytorch/why	No module named torch'
    [ -f /usr/include/cudnn.h ] || grep -q 'cudnn.*stays.*no cudnn.h' \
        "$work/said" || cat "$work/said"
    cp -R book/results/. "$work/tree/book/results"
}

changed() # the results that are no longer as they were committed
{
    for file in "$work"/tree/book/results/nvidia-h200/*.json; do
        cmp -s "$file" "book/results/nvidia-h200/${file##*/}" ||
            echo "${file##*/}"
    done | tr '\n' ' '
}

parts_replace_parts()
{
    cp -R book/results/. "$work/tree/book/results"
    bench N="5 07" || cat "$work/said"
    [ "$(changed)" = "solution-05.json solution-07.json " ] ||
        echo "N=\"5 07\" changed $(changed)"
    at=$work/tree/book/results/nvidia-h200
    says "$at/solution-05.json" 'seed	4711' 'provenance/commit	fedcba9' \
        'provenance/driver	999.1' 'provenance/command	make bench N="5 07"'
    jsonschema -i "$at/solution-05.json" checker/report.schema.json 2>&1 |
        grep -v -i -e deprecat -e 'import main'
    cp -R book/results/. "$work/tree/book/results"
    bench N=9 || cat "$work/said"
    [ "$(changed)" = "long.json solution-09.json " ] ||
        echo "N=9 changed $(changed)"
    says "$at/long.json" 'long_1_ms	2.5' 'provenance/toolkit	13.7'
    cp -R book/results/. "$work/tree/book/results"
    bench PEERS=ours || cat "$work/said"
    [ "$(changed)" = "peers-dwconv-ours.json " ] ||
        echo "PEERS=ours changed $(changed)"
    [ ! -f "$work/tree/ran" ] || echo "PEERS=ours measured chapters"
}

# The committed results, but for a ceiling that a part shall find missing.
without_int8()
{
    cp -R book/results/. "$work/tree/book/results"
    jq 'del(.int8_flops_per_second, .added.int8_flops_per_second)' \
        book/results/nvidia-h200/roofs.json >"$work/roofs.json"
    cp "$work/roofs.json" "$work/tree/book/results/nvidia-h200/roofs.json"
}

# A part that needed another ceiling adds it, and takes none away.
parts_add_ceilings()
{
    without_int8
    mkdir -p "$work/tree/build/roofs"
    echo '{"version": 1, "copy_bytes_per_second": 1.0,
        "int8_flops_per_second": 2.5}' \
        >"$work/tree/build/roofs/NVIDIA_H200.json"
    bench N=6 || cat "$work/said"
    at=$work/tree/book/results/nvidia-h200
    says "$at/roofs.json" 'int8_flops_per_second	2.5' \
        'added/int8_flops_per_second/commit	fedcba9' \
        'added/int8_flops_per_second/command	make bench N="6"'
    for file in "$work/roofs.json" "$at/roofs.json"; do
        "$build/bin/check" --facts "$file" | grep -v int8_flops
    done | sort | uniq -c | grep -v '^ *2 ' # each is in both
    rm -r "$work/tree/build/roofs"
    echo '[]' | "$build/bin/bench-results" extend "$at/roofs.json" gpu=1 \
        2>/dev/null && echo "what is no file of ceilings went through"
}

# ROOFS=missing adds what the results lack, ROOFS=all takes all anew.
ceilings_alone()
{
    without_int8
    stand_in "$work/tree/build/bin/bench-roofs" 'mkdir -p "$1/roofs"
        echo "{\"version\": 1, \"copy_bytes_per_second\": 1.5,
            \"int8_flops_per_second\": 2.5}" >"$1/roofs/NVIDIA_H200.json"'
    at=$work/tree/book/results/nvidia-h200
    bench ROOFS=missing || cat "$work/said"
    [ "$(changed)" = "roofs.json " ] || echo "it changed $(changed)"
    [ ! -f "$work/tree/ran" ] || echo "it measured chapters"
    says "$at/roofs.json" 'int8_flops_per_second	2.5' \
        'added/int8_flops_per_second/command	make bench ROOFS=missing'
    grep -q '"copy_bytes_per_second": 1.5' "$at/roofs.json" &&
        echo "ROOFS=missing took a ceiling anew"
    bench ROOFS=all || cat "$work/said"
    says "$at/roofs.json" 'copy_bytes_per_second	1.5' \
        'provenance/command	make bench ROOFS=all'
    stand_in "$work/tree/build/bin/bench-roofs" 'exit 1'
    bench ROOFS=missing && echo "ceilings that failed went through"
    rm -r "$work/tree/build/roofs"
}

# The book's tables then say that they stand on several runs.
mixture_is_said()
{
    remeasured='chapter 06 on an NVIDIA H200 (driver 999.1'
    cp -R book/results/. "$work/tree/book/results"
    bench N=6 || cat "$work/said"
    sh book/lua.sh facts "$work/tree/book/results" >"$work/facts.tsv" || return
    sh book/lua.sh tables study "$work/facts.tsv" | tail -n 1 >"$work/said"
    grep -q "^Measured in [2-9] runs:.*$remeasured" "$work/said" ||
        cat "$work/said"
}

wrong_words()
{
    for words in N=77 N=x PEERS=numpy "N=5 PEERS=nobody" ROOFS=some; do
        # shellcheck disable=SC2086 # two settings
        bench $words && echo "$words went through"
        grep -q -e 'there is no' -e 'no peer' -e 'no chapter' \
            -e 'missing (those' "$work/said" ||
            cat "$work/said"
    done
}

real_ones_without_a_gpu()
{
    "$build/bin/bench-stages" "$build" dwconv_forward dwconv_input_grad \
        >"$work/out" 2>&1 || echo "bench-stages failed"
    for at in study/forward small/input_grad; do
        grep -qE "^(absent|row) $at/chapter-[0-9][0-9] ." "$work/out" ||
            echo "no line for $at"
    done
    grep -q weight_grad "$work/out" && echo "nobody asked for weight_grad"
    "$build/bin/bench-stages" "$build" numpy >/dev/null 2>&1 &&
        echo "an unknown operator went through"
    python3 common/peers/dwconv/pytorch.py small "B1 H2 L3 K4" >"$work/out" 2>&1
    grep -qE '^(absent|row|version) .' "$work/out" || cat "$work/out"
}

no_gpu_is_said()
{
    mkdir -p "$work/none"
    stand_in "$work/none/nvidia-smi" 'exit 9'
    PATH=$work/none:$PATH sh common/cli/bench.sh "$build" /none \
        >"$work/out" 2>&1 && echo "make bench without a GPU went through"
    grep -q 'nvidia-smi finds none' "$work/out" || cat "$work/out"
}

tree
if command -v jsonschema >/dev/null; then
    quiet "the lines become JSON that holds the schema" sample_holds
    quiet "committed results hold it" committed_hold
    quiet "what is no result is refused" wrong_ones_are_refused
    quiet "a peer that crashes keeps its rows and stops none" crashing_peer
    quiet "an absent peer is named, and takes no result away" absent_peers
    quiet "N= and PEERS= measure parts, and replace these alone" \
        parts_replace_parts
else
    skip "the schema of the peers' results" "no jsonschema here"
fi
quiet "a part adds the ceilings that it needed" parts_add_ceilings
quiet "ceilings are measured alone" ceilings_alone
if command -v pandoc >/dev/null; then
    quiet "a table of several runs says so" mixture_is_said
else
    skip "a table of two runs says so" "no pandoc here"
fi
quiet "a chapter or peer that is not there is said before anything runs" \
    wrong_words
quiet "without a GPU each peer still answers" real_ones_without_a_gpu
quiet "make bench without a GPU says so" no_gpu_is_said
plan
