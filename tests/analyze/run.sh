#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests `make analyze N` and `make roofline N`, as TAP: a report with round
# numbers gives results computed by hand; without a GPU the output is marked as
# a model; nothing is checked or counted twice.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
program=$BUILD/bin/analyze
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
committed=book/results/nvidia-h200
conv=chapters/07-dwconv-warp-tiled

holds() # FILE TEXT...: its spaces made one
{
    tr -s ' ' <"$1" >"$work/squeezed"
    shift
    for text; do
        grep -qF -- "$text" "$work/squeezed" || {
            echo "not there: $text"
            cat "$work/squeezed"
        }
    done
}

sum() # FILE...: as reports have it
{
    cat "$@" | sha256sum | cut -d ' ' -f 1
}

# Chapter 07 as if it took 0.4, 0.4 and 0.8 ms, a copy 0.2, the arithmetic
# nothing, and moved 4 million sectors per 512 of B, or FACTOR times as many.
# Its sources are today's; each kernel was counted alone.
round_results() # [FACTOR]
{
    mkdir -p "$work/results" "$work/counts"
    sources=
    for kernel in $(kernels_of_07); do
        sources="$sources solutions/07-dwconv-warp-tiled/$kernel.cu"
    done
    # shellcheck disable=SC2086 # several
    all=$(sum $sources)
    echo '{"gpu": "NVIDIA H200", "copy_bytes_per_second": 4e12,
        "fp32_flops_per_second": 6e15}' >"$work/results/roofs.json"
    awk '/"name": "(forward|input_grad|weight_grad)"/ { name = $2 }
        /"this"/ { this = 1 }
        this && /"median"/ {
            sub(/[0-9.]+,/, name ~ /weight/ ? "0.8," : "0.4,"); this = 0 }
        /"copy_ms"/ { sub(/[0-9.]+,/, "0.2,") }
        /"source_sha256"/ { sub(/: *"[^"]*"/, ": \"" all "\"") }
        { print }' all="$all" $committed/solution-07.json \
        >"$work/results/solution-07.json"
    for source in $sources; do
        kernel=$(basename "$source" .cu)
        mkdir -p "$work/counts/$kernel"
        for b in 512 1024; do
            awk -v n=$((b * 7812 * ${1:-1})) -v sum="$(sum "$source")" '
                /"source_sha256"/ { sub(/: *"[^"]*"/, ": \"" sum "\"") }
                /"global_(load|store)_sectors":/ { sub(/[0-9]+/, n / 2) }
                { print }' $committed/solution-07.json \
                >"$work/counts/$kernel/B$b-H128-L48-K48.json"
        done
    done
}

kernels_of_07()
{
    "$program" kernels $conv | cut -d ' ' -f 1
}

of_round_results() # print|data ARGUMENT...
{
    goal=$1
    shift
    "$program" "$goal" $conv --report "$work/results/solution-07.json" \
        --roofs "$work/results/roofs.json" --counts "$work/counts" --results \
        --nsight "$work/nsight" --out "$work/out" "$@"
}

round_numbers()
{
    round_results
    echo 'forward 25000000 900000000' >"$work/nsight"
    of_round_results print >"$work/said" || echo "exit code $?"
    holds "$work/said" 'Measured on the NVIDIA H200' \
        'forward 0.400 25 % 805.3 4095.7 5.09 2013 2.00 50 %' \
        'input_grad 0.400 25 % 805.3' 'weight_grad 0.800 50 % 805.3' \
        'step 1.600 100 % 2416.0' \
        'counts: 3999744 at B512, 7999488 at B1024,' \
        'forward 4095.7 800.0 900.0' \
        'max(0.2000 ms for the bytes, 4.93 G / 6e+03 TFLOP/s = 0.0008 ms)'
}

# Chapter 04 moves 200 times what it needs: columns stay apart.
wide_numbers()
{
    round_results 40
    of_round_results print >"$work/said" || echo "exit code $?"
    holds "$work/said" 'forward 0.400 25 % 805.3 163829.5 203.43 2013 2.00 50 %'
    awk 'length > 80 && /%/' "$work/said"
}

# Of counters that were not taken nothing is said.
no_counts()
{
    rm -f "$work"/counts/*/*1024*
    of_round_results print >"$work/said"
    holds "$work/said" 'forward 0.400 25 % 805.3 - - 2013' 'moves not counted'
}

# Nor of those of another source.
counts_of_another_source()
{
    round_results
    sed -i 's/"source_sha256": "./&0/' "$work"/counts/forward/*.json
    of_round_results print >"$work/said"
    holds "$work/said" 'forward 0.400 25 % 805.3 - - 2013' \
        'input_grad 0.400 25 % 805.3 4095.7'
}

one_kernel()
{
    round_results
    of_round_results print --kernel weight_grad >"$work/said"
    holds "$work/said" 'weight_grad 0.800 100 % 805.3 4095.7' \
        'how, for weight_grad'
    grep -e forward -e input_grad -e step "$work/said"
    of_round_results data --kernel weight_grad
    [ "$(cut -f 1 "$work/out/bars.dat")" = weight_grad ] ||
        cat "$work/out/bars.dat"
}

# Operators of one chapter have their own dimensions: each kernel is counted at
# its own.
own_dimensions()
{
    "$program" shapes chapters/22-evonorm >"$work/said"
    holds "$work/said" 'gradient B32 C64 S784' 'conv_apart B64 C64 S784 K9'
    "$program" shapes chapters/22-evonorm --kernel gradient >"$work/said"
    [ "$(cut -d ' ' -f 1 "$work/said" | sort -u)" = gradient ] ||
        cat "$work/said"
}

# And their own ceilings; one that was not measured is the datasheet's.
own_ceilings_of_pipes()
{
    echo '{"gpu": "NVIDIA H200", "copy_bytes_per_second": 4e12,
        "fp32_flops_per_second": 6e13,
        "bf16_tensor_flops_per_second": 9e14}' >"$work/roofs.json"
    for kernel in gemm bf16; do
        "$program" print chapters/16-*/ --results --kernel $kernel \
            --report $committed/solution-16.json --roofs "$work/roofs.json" \
            >"$work/$kernel" || echo "exit code $?"
    done
    holds "$work/bf16" '/ 900 TFLOP/s'
    grep datasheet "$work/bf16"
    holds "$work/gemm" "the tf32_tensor's peak is the datasheet's"
}

stale_or_empty()
{
    "$program" print $conv --report "$work/none.json" \
        --roofs $committed/roofs.json
    [ $? -eq 3 ] || echo "no report: not exit code 3"
    sed 's/"source_sha256": "./&0/' $committed/solution-07.json \
        >"$work/stale.json"
    "$program" print $conv --report "$work/stale.json" \
        --roofs $committed/roofs.json >/dev/null
    [ $? -eq 3 ] || echo "other sources: not exit code 3"
    sed 's/"kind": "gpu"/"kind": "abacus"/' $committed/solution-07.json \
        >"$work/empty.json"
    "$program" print $conv --report "$work/empty.json" \
        --roofs $committed/roofs.json --results >/dev/null
    [ $? -eq 4 ] || echo "neither times nor counts: not exit code 4"
}

nsight_sums()
{
    printf '%s\n' '==PROF== Connected' \
        '"ID","Kernel","dram__bytes_read.sum","l1tex__t_sectors_x.sum"' \
        '"","","Mbyte","sector"' '"0","a","1.5","1,000"' \
        '"1","b","2","24"' |
        awk -v kernel=k -f common/cli/nsight.awk >"$work/said"
    [ "$(cat "$work/said")" = "k 1024 3500000" ] || cat "$work/said"
    [ -z "$(awk -v kernel=k -f common/cli/nsight.awk </dev/null)" ] ||
        echo "numbers from nothing"
}

as_make() # GOAL: chapter 01's solution as a hand-in
{
    BUILD=$work/build SRC=solutions DEVICE=sim SEED=1 GPU=${GPU:-} \
        sh common/cli/analyze.sh "$1" 01 >"$work/said" 2>&1 ||
        echo "exit code $?"
}

# A build folder of its own, so that nothing is there before.
without_a_gpu()
{
    mkdir -p "$work/build"
    for part in bin simgpu harness; do
        ln -s "$(cd "$BUILD" && pwd)/$part" "$work/build/$part"
    done
    as_make analyze
    holds "$work/said" 'Checking chapter 1 first.' \
        'Counting what add moves at N' \
        'MODEL: no GPU measured this. Ceilings of the NVIDIA H200.' \
        'PREDICTED for the NVIDIA H200' '3221.2 3221.2 1.00' 'N2097152,'
}

not_twice()
{
    touch -d '2001-01-01' "$work"/build/report/*.json \
        "$work"/build/analyze/src-01/*/N*.json
    as_make analyze
    grep -q Checking "$work/said" && echo "it was checked again"
    find "$work/build/report" "$work/build/analyze" -name '[Ns]*.json' \
        -newermt 2002-01-01
}

# A kernel's own check serves it alone; a kernel that is not there is refused.
kernel_as_make()
{
    KERNEL=add as_make analyze
    grep -q Checking "$work/said" && echo "the chapter's report was not used"
    holds "$work/said" 'how, for add'
    KERNEL=sub BUILD=$work/build SRC=solutions DEVICE=sim \
        sh common/cli/analyze.sh analyze 01 >"$work/said" 2>&1 &&
        echo "a kernel that is not there was analysed"
    holds "$work/said" \
        'chapter 1 has no kernel sub that is timed. It has:' add
    mkdir -p "$work/alone"
    cp solutions/11-*/gemm.cu "$work/alone"
    KERNEL=gemm BUILD=$work/build SRC=$work/alone DEVICE=sim SEED=1 \
        sh common/cli/analyze.sh analyze 11 >"$work/said" 2>&1 ||
        echo "exit code $?"
    holds "$work/said" 'Checking gemm of chapter 11 first.' 'how, for gemm'
}

# For a GPU that was not measured here: its datasheet's ceilings.
another_gpu()
{
    GPU=t4 as_make analyze
    holds "$work/said" 'Checking chapter 1 first.' \
        'Ceilings of the Tesla T4 (datasheet).' 'PREDICTED for the Tesla T4'
}

# A report without a prediction: the least that the traffic takes.
no_prediction()
{
    round_results
    sed -i -e 's/"kind": "gpu"/"kind": "abacus"/' \
        -e 's/"predicted": {/"unread": {/' \
        "$work/results/solution-07.json"
    of_round_results print >"$work/said" || echo "exit code $?"
    # 4095.7 MB at 4 TB/s is 1.024 ms
    holds "$work/said" 'at least share' 'forward 1.024 33 %' \
        'no shorter than max(moves / copy' '4095.7 5.09 - - -'
}

# A timer's chapter has no kernel, whether it passes or not.
no_kernel()
{
    for goal in analyze roofline; do
        BUILD=$work/build sh common/cli/analyze.sh $goal 02 \
            >"$work/said" 2>&1 || echo "$goal: exit code $?"
        holds "$work/said" 'it has no kernel to analyse'
    done
}

wrong_kernel()
{
    mkdir -p "$work/hand-in"
    sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' solutions/01-vector-add/add.cu \
        >"$work/hand-in/add.cu"
    cp solutions/01-vector-add/program.cu "$work/hand-in"
    cmp -s solutions/01-vector-add/add.cu "$work/hand-in/add.cu" &&
        echo "the change changed nothing"
    BUILD=$work/build SRC=$work/hand-in DEVICE=sim \
        sh common/cli/analyze.sh analyze 01 >"$work/said" 2>&1 &&
        echo "a wrong kernel was analysed"
    holds "$work/said" 'says WRONG: fix that first'
}

pictures()
{
    as_make roofline
    for name in bars roofline; do
        svg=$work/build/analyze/$name-src-01.svg
        [ -s "$svg" ] || { echo "no $svg"; continue; }
        python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" \
            "$svg"
        holds "$svg" '<title id="t">' MODEL 'add' 'prefers-color-scheme: dark'
    done
}

# As if the learner's chapter 03 had been timed, at the results' times.
own_ceilings()
{
    sum=$(cat chapters/03-*/copy.cu chapters/03-*/fma.cu | sha256sum)
    mkdir -p "$work/build/report" "$work/build/roofs/yours"
    sed -e "s/\(\"source_sha256\": *\)\"[^\"]*/\1\"${sum%% *}/" \
        -e 's/"kind": "solution"/"kind": "chapter"/' \
        -e 's|"source": "solutions|"source": "chapters|' \
        "$committed/solution-03.json" >"$work/build/report/chapter-03.json"
    cp "$committed/roofs.json" "$work/build/roofs/NVIDIA_H200.json"
    echo '{"gpu": "NVIDIA H200", "copy_bytes_per_second": 3e12,
        "fp32_flops_per_second": 5e13}' \
        >"$work/build/roofs/yours/NVIDIA_H200.json"
    BUILD=$work/build SRC='' DEVICE='' GPU='' \
        sh common/cli/analyze.sh roofline 03 >"$work/said" 2>&1 ||
        cat "$work/said"
    holds "$work/build/analyze/roofline-chapter-03.svg" 'copy 3.00 TB/s' \
        '50 TFLOP/s'
}

quiet "round numbers come out as by hand" round_numbers
quiet "columns stay apart where numbers are long" wide_numbers
quiet "what was not counted is not made up" no_counts
quiet "nor what was counted of another source" counts_of_another_source
quiet "one kernel alone" one_kernel
quiet "each kernel is counted at a shape of its own operator" own_dimensions
quiet "each kernel has its pipe's ceiling" own_ceilings_of_pipes
quiet "a stale, a missing and an empty report are told apart" stale_or_empty
quiet "Nsight Compute's units and kernels are summed" nsight_sums
quiet "without a GPU the model answers, and says that it is one" without_a_gpu
quiet "nothing is checked or counted twice" not_twice
quiet "KERNEL= takes one, and refuses what is not there" kernel_as_make
quiet "without a prediction it says the least" no_prediction
quiet "another GPU is predicted under its own ceilings" another_gpu
if command -v gnuplot >/dev/null; then
    quiet "your own ceilings are drawn, once you have them" own_ceilings
    quiet "both pictures have words and dark colours" pictures
else
    skip "both pictures" "no gnuplot here"
fi
quiet "a wrong kernel is not analysed" wrong_kernel
quiet "a timer has nothing to analyse" no_kernel
plan
