#!/bin/sh
# SPDX-License-Identifier: MIT
# The traffic model's predictions, as TAP: the committed ones are current, each
# is within a factor of 1.35 of what an H200 measured, successive stages have
# the same order as measured, 95 of 100 of all pairs do, and all recorded
# microbenchmarks are within a factor of 1.5.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
. common/cli/lib.sh
unset MAKEFLAGS MFLAGS MAKELEVEL
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Lines that differ, as diff shows them. nvcc names a file's own functions by a
# number that each folder changes, and with them may come a few other
# instructions: numbers that differ by a thousandth at most are the same.
lines_that_differ() # FILE FILE
{
    awk -F '\t' '
        function same(a, b) {
            return a "" == b "" ||
                   (a + 0 == a && b + 0 == b && (a - b)^2 <= (a / 1000)^2)
        }
        FNR == NR { line[$1] = $0; value[$1] = $2; next }
        !($1 in line) { print "> " $0; next }
        !same(value[$1], $2) { print "< " line[$1]; print "> " $0 }
        { delete line[$1] }
        END { for (key in line) print "< " line[key] }' "$1" "$2"
}

are_current() # NAME FILE: book/NAME.tsv is what FILE says
{
    lines_that_differ "book/$1.tsv" "$2" >"$work/differ"
    [ ! -s "$work/differ" ] || {
        cat "$work/differ"
        echo "book/$1.tsv is old: make predictions snippets"
    }
}

# Another toolkit's PTX is another program: then only the bars hold.
same_as_committed()
{
    folders=$(awk -F / '/^predicted/ { print $2 }' book/predicted.tsv |
        sort -u | sed 's|.*|solutions/&-*/|')
    # shellcheck disable=SC2086 # patterns
    NVCC=${NVCC:-$(sh common/cli/find-cuda.sh)/bin/nvcc} \
        sh book/predicted.sh "$build" $folders \
        >"$work/now.tsv" 2>"$work/words" || { # how long it takes is no failure
        echo "exit code $?"
        cat "$work/words"
    }
    toolkit=$(sed -n 's/.*Toolkit: //p' book/predicted.tsv)
    grep -q "Toolkit: $toolkit\$" "$work/now.tsv" || return 0
    NVCC=${NVCC:-$(sh common/cli/find-cuda.sh)/bin/nvcc} \
        sh book/predicted-rates.sh "$build" >"$work/rates.tsv"
    are_current predicted-rates "$work/rates.tsv"
    NVCC=${NVCC:-$(sh common/cli/find-cuda.sh)/bin/nvcc} \
        sh book/predicted-changes.sh "$build" >"$work/changes.tsv" \
        2>"$work/words" || {
        echo "exit code $?"
        cat "$work/words"
    }
    are_current predicted-changes "$work/changes.tsv"
    are_current predicted "$work/now.tsv"
}

# "04/forward 05/forward": each kernel and the one that it is timed against, as
# chapter.conf has it, where both are timed at one shape.
steps()
{
    conf_lines chapters/* | awk -F '\t' '
        $2 == "chapter" && $3 == "previous" { before[$1] = $4; next }
        $2 == "chapter" { next }
        { kernel = $1 "/" $2 }
        $3 == "time_shape" { shape[kernel] = $4 }
        !seen[kernel]++ && $1 in before { was[kernel] = before[$1] "/" $2 }
        $3 == "previous" { was[kernel] = $4 ~ /\// ? $4 : $1 "/" $4 }
        END { for (kernel in was)
                  if (shape[kernel] == shape[was[kernel]])
                      print was[kernel], kernel }'
}

bars() # FACTS: what is out of bounds
{
    steps >"$work/steps"
    awk '
        FILENAME ~ /open$/ { if (!/^#/) open[$0]; next }
        FILENAME ~ /steps$/ { before[++pairs] = $1; after[pairs] = $2; next }
        { word[$1] = $2; fact[$1] = $2 + 0 }
        END {
            h200 = "nvidia-h200/"
            for (key in fact) {
                at = key
                if (sub(/^nvidia-h200\//, "", at) &&
                    sub(/\/time_ms$/, "", at) && at ~ /^[0-9]+\// &&
                    at !~ /total|program/ && !(("predicted/" at "/ms") in fact))
                    print at " has no prediction: make predictions snippets"
                if (key ~ /^(rate|tensor|atomics|caches)\//) {
                    rates++
                    hold(word["predicted-" key], fact[key], 1.5, key)
                }
                if (key ~ /^memory\// && word["predicted-" key] == "")
                    print key " has no prediction"
                if (key ~ /^memory\// && (fact[key] >= 1e6 ||
                                          fact["predicted-" key] >= 1e6))
                    hold(word["predicted-" key], fact[key], 1.5, key)
                if (key !~ /^predicted.*over_measured$/) continue
                split(key, part, "/")
                step = part[2] "/" part[3]
                hold(word[key], 1, 1.35, step)
                stage[++seen] = step
            }
            if (seen < 12) print "only " seen + 0 " to compare"
            if (rates < 750) print "only " rates + 0 " microbenchmarks"
            for (i = 1; i <= seen; i++)
                for (j = 1; j < i; j++) count(stage[i], stage[j])
            if (!(right >= 0.95 * all))
                print right " of " all " pairs are in the right order"
            for (i = 1; i <= pairs; i++) order(before[i], after[i])
            if (pairs < 15) print "only " pairs + 0 " steps"
        }
        # awk takes NaN for equal to anything.
        function hold(predicted, measured, bar, name,    good) {
            good = predicted ~ /^[0-9.e+-]+$/ && predicted !~ /nan/ &&
                measured > 0 && predicted / measured <= bar &&
                predicted / measured >= 1 / bar
            if (good && name in open)
                print name " is within the bar: out of tests/predict/open"
            if (!good && !(name in open))
                print name " is " predicted " over " measured
        }
        function count(a, b) {
            all++
            right += (fact["predicted/" a "/ms"] > fact["predicted/" b "/ms"]) \
                == (fact[h200 a "/time_ms"] > fact[h200 b "/time_ms"])
        }
        function order(a, b,    was, now, pair) {
            if (!((h200 a "/time_ms") in fact)) return
            if (!((h200 b "/time_ms") in fact)) return
            was = fact[h200 a "/time_ms"] > fact[h200 b "/time_ms"]
            now = fact["predicted/" a "/ms"] > fact["predicted/" b "/ms"]
            pair = a " " b
            if (was != now && !(pair in open))
                print a " and " b " come in the wrong order"
            if (was == now && pair in open)
                print pair " are in order: out of tests/predict/open"
        }' tests/predict/open "$work/steps" FS='\t' "$1"
}

catches() # SED-SCRIPT TEXT: facts changed so must be found out
{
    sed "$1" "$work/facts.tsv" >"$work/changed.tsv"
    bars "$work/changed.tsv" | grep -q "$2" || echo "not found out: $1"
}

labelled() # without a GPU there is a time, and it says what it is
{
    "$build/bin/check" solution 6 --build "$build" --root . --device sim \
        --gpu t4 --json "$work/report.json" >"$work/said" 2>&1 ||
        cat "$work/said"
    tr '\n' ' ' <"$work/said" | tr -s ' ' >"$work/line"
    for text in 'ms PREDICTED for Tesla T4 at B16384' ', not measured'; do
        grep -q "$text" "$work/line" || cat "$work/said"
    done
    grep -q '"gpu": "Tesla T4"' "$work/report.json" || echo "no gpu in JSON"
}

unknown_gpu()
{
    "$build/bin/check" solution 4 --build "$build" --root . --device sim \
        --gpu t5 2>&1 | grep -q 't5 is unknown; there are h200 ' ||
        echo "GPU=t5 was not refused"
}

# A launcher that asks for the room of a block, and wants all of it or at least
# LEAST bytes, has its verdict here.
asking() # LEAST GPU
{
    mkdir -p "$work/asking"
    cp solutions/01-*/*.cu "$work/asking"
    sed "s|^    add<<<blocks, THREADS, 0, stream>>>|    int room = 0;\
\
    cudaDeviceGetAttribute(\&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);\
    room = max(room, $1);\
    cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize,\
                         room);\
    add<<<blocks, THREADS, room, stream>>>|" \
        solutions/01-*/add.cu >"$work/asking/add.cu"
    "$build/bin/check" chapter 1 --kernel add --build "$build" --root . \
        --device sim --src "$work/asking" --gpu "$2" >"$work/said" 2>&1
    tr '\n' ' ' <"$work/said" | tr -s ' ' >"$work/line"
}

says() # TEXT...
{
    for text; do
        grep -qF "$text" "$work/line" || {
            echo "not said: $text"
            cat "$work/said"
        }
    done
}

told_the_named_one() # the launcher is told the limits of the GPU that is named
{
    asking 0 rtx4090
    says 'PASS chapter 01' 'ms PREDICTED for NVIDIA GeForce RTX 4090'
    asking 200704 h200
    says 'PASS chapter 01' 'ms PREDICTED for NVIDIA H200'
    asking 200704 rtx4090
    says 'LAUNCH chapter 01' 'on this GPU at most 101376' \
        'cases right on the simulated NVIDIA H200' \
        'that GPU= names, NVIDIA GeForce RTX 4090. The cases ran on NVIDIA H200'
}

too_new_for_it() # code for a newer architecture: no time, and the reason
{
    "$build/bin/check" solution 16 --kernel fragments --build "$build" \
        --root . --device sim --gpu t4 >"$work/said" 2>&1
    tr '\n' ' ' <"$work/said" | tr -s ' ' >"$work/line"
    says 'No time is predicted for GPU=t4: there ' \
        'cudaErrorNoKernelImageForDevice'
}

# Beside what the model says now, a number, a word and a line that it does not.
old_ones_differ()
{
    awk -F '\t' -v OFS='\t' '
        $1 ~ /05\/forward\/ms$/ { $2 *= 1.0005; small = 1 }
        $1 ~ /06\/forward\/ms$/ { $2 *= 1.002 }
        $1 ~ /07\/forward\/bound$/ { $2 = "nothing" }
        $1 ~ /08\/block\/ms$/ { next }
        { print }
        END { if (!small) print "no forward of 05" }' book/predicted.tsv \
        >"$work/old.tsv"
    lines_that_differ "$work/old.tsv" book/predicted.tsv |
        cut -f 1 | sort >"$work/differ"
    printf '%s\n' '< predicted/06/forward/ms' '< predicted/07/forward/bound' \
        '> predicted/06/forward/ms' '> predicted/07/forward/bound' \
        '> predicted/08/block/ms' | sort | diff - "$work/differ"
}

# A change that the solution has outgrown would predict the solution's own time.
idle_change()
{
    printf '11/gemm/none\ts/TILE = 31/TILE = 3/\n' >"$work/list"
    NVCC=${NVCC:-$(sh common/cli/find-cuda.sh)/bin/nvcc} \
        sh book/predicted-changes.sh "$build" "$work/list" \
        >"$work/said" 2>&1 && echo "went through"
    grep -q '11/gemm/none changes nothing' "$work/said" || cat "$work/said"
}

quiet "the committed predictions are the model's" same_as_committed
quiet "one that is old is found out" old_ones_differ
quiet "a change that changes nothing is refused" idle_change
if command -v pandoc >/dev/null; then
    sh book/lua.sh facts >"$work/facts.tsv" || exit 1
    quiet "each is within its bar of the measured, ranked right" \
        bars "$work/facts.tsv"
    quiet "one that is too far off is found out" catches \
        's|^\(predicted/06/forward/over_measured\).*|\1\t1.6|' 06/forward
    quiet "a microbenchmark that is too far off is found out" catches \
        's|^\(predicted-rate/load_shared_2\).*|\1\t1.6|' rate/load_shared_2
    quiet "one that has no prediction is found out" catches \
        '/^predicted-tensor\/store_x4_stride_16\t/d' tensor/store_x4_stride_16
    quiet "what L2 held counts" catches \
        's|^\(predicted-caches/held_mwr_16\).*|\1\t10.7|' held_mwr_16
    quiet "what is read of memory counts" catches \
        's|^\(predicted-memory/held_mr_16\).*|\1\t1|' memory/held_mr_16
    quiet "many wrong orders are found out" catches \
        's|^\(predicted/.[0-9]/[a-m].*/ms\).*|\1\t3|' 'pairs are in the right'
    quiet "a wrong order is found out" catches \
        's|^\(predicted/05/forward/ms\).*|\1\t3|' 'wrong order'
    quiet "NaN is found out" catches \
        's|^\(predicted/06/forward/over_measured\).*|\1\t-nan|' 06/forward
else
    skip "predictions against measurements" "no pandoc here"
fi
quiet "check labels its prediction" labelled
quiet "an unknown GPU is said" unknown_gpu
quiet "a launcher is told the limits of GPU=" told_the_named_one
quiet "GPU= without a prediction says why" too_new_for_it
plan
