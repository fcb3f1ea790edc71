#!/bin/sh
# SPDX-License-Identifier: MIT
# waiting.sh: how long a learner waits for a verdict, in units of what nvcc
# takes for chapter 05's forward.cu on the same machine in the same minute.
#
#   waiting.sh [CHAPTER...]       default: 05 07 08 09; exit 1 beyond a bar
#
#   again       check-solution N once more, with nothing to compile
#   edit        the chapter after an edit of one kernel, each in its turn; the
#               slowest counts; and what nvcc alone takes for that one
#   failing     from the end of the compile to the first failing line, for a
#               kernel that spoils one cell
#   the same    all verdicts, counters and gates equal those of a check that
#               remembers nothing, with the same seed
#
# Times are medians of REPEAT runs. The machine should be idle: the load is
# printed. An edit is another constant in an unused kernel: the machine code of
# the library changes, and all that a check knows of it is void.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$root/$BUILD ;; esac
REPEAT=${REPEAT:-5}
chapters=$(echo "${*:-5 7 8 9}" | tr ' ' '\n' | awk '{ printf "%02d ", $1 }')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

again_bar=1.5 edit_bar=2.5 failing_bar=0.5
failed=0

now() { date +%s.%N; }

# Seconds that a command takes; its output goes to $work/out.
seconds() # COMMAND...
{
    begin=$(now)
    "$@" >"$work/out" 2>&1 || true
    echo "$(now) $begin" | awk '{ print $1 - $2 }'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

ratio() { awk -v a="$1" -v b="$one" 'BEGIN { printf "%.2f", a / b }'; }

# Prints a row, and remembers that its bar was missed.
row() # WHAT SECONDS BAR
{
    r=$(ratio "$2")
    mark=
    if awk -v r="$r" -v bar="$3" 'BEGIN { exit !(r > bar) }'; then
        mark='  MISSED'
        failed=1
    fi
    printf '  %-34s %5s  (bar %s)  %.2f s%s\n' "$1" "$r" "$3" "$2" "$mark"
}

# A tree of our own: edits must not touch the workbook.
mkdir "$work/tree"
cp -R chapters solutions common "$work/tree/"
mkdir -p "$work/tree/build/stage"
for part in bin simgpu vclock; do
    [ ! -e "$BUILD/$part" ] || ln -s "$BUILD/$part" "$work/tree/build/$part"
done
cp -R "$BUILD/stage/solution" "$work/tree/build/stage/" 2>/dev/null || true
cd "$work/tree"

check() # N [OPTION...]
{
    build/bin/check solution "$@" --device sim --root "$work/tree" \
        --build "$work/tree/build"
}

# With the options of the last build, and machine code, as one would compile it.
nvcc_once() # N KERNEL
{
    # shellcheck disable=SC2046  # options
    "$CUDA_HOME/bin/nvcc" -Xptxas -v $(sed -n '
        2s/-nodlink //
        2s/code=\(compute_\([0-9]*[a-z]\)\) /code=[\1,sm_\2] /
        2s/code=\(compute_[0-9]*\) /code=[\1,sm_90] /
        2p' "build/stage/solution/$1/$2.key") \
        "$work/stage.so" solutions/"$1"-*/"$2.cu"
}

kernels_of() # N
{
    build/bin/check --facts chapters | awk -F '\t' -v number="$1" '
        $1 == number && $2 != "chapter" && !seen[$2]++ { print $2 }'
}

# Another constant, each time, for the compiler and for the checker.
edits=0
edit() # FILE
{
    edits=$((edits + 1))
    sed -i '/edited_by_bench/d' "$1"
    echo "__global__ void edited_by_bench(int *p) { *p = $$$edits; }" >>"$1"
}

# The launcher's output gets a 1 added to its first cell.
spoil() # FILE
{
    out=$(sed -n 's/.*[( ]float \*\([a-z][a-z]*\)[,)].*/\1/p' "$1" | tail -n 1)
    launch="    spoil<<<1, 1, 0, stream>>>($out);"
    sed -i -e '0,/^#include/s//static __global__ void spoil(float *p);\n&/' \
        -e "/^    return cudaGetLastError();/i \\$launch" "$1"
    echo 'static __global__ void spoil(float *p) { *p += 1.0f; }' >>"$1"
}

# Seconds from the library's last byte to the line that says WRONG.
failing() # N KERNEL
{
    check "$1" --kernel "$2" 2>/dev/null |
        while read -r line; do
            case $line in
            "$2.cu  WRONG"*) now; break ;;
            "$2.cu  "*) echo "a spoilt kernel: $line" >&2; break ;;
            esac
        done >"$work/line"
    stat -c %.Y "build/stage/solution/$1/$2.so" |
        awk -v line="$(cat "$work/line")" '{ print line - $1 }'
}

# What a report says, but how it came about.
report() # FILE
{
    grep -v '"known_seed"' "$1"
}

for n in $chapters; do # everything is compiled, and known
    check "$n" >/dev/null 2>&1 || true
done
echo "load $(cut -d ' ' -f 1-3 /proc/loadavg) on $(nproc) cores"
one=$(for _ in $(seq "$REPEAT"); do seconds nvcc_once 05 forward; done | median)
printf 'nvcc, chapter 05 forward.cu: %.2f s, which is 1 below\n' "$one"

for n in $chapters; do
    folder=$(echo solutions/"$n"-*)
    echo "chapter $n"
    row 'again' "$(for _ in $(seq "$REPEAT"); do
        seconds check "$n"; done | median)" $again_bar

    slowest=0 which=
    for kernel in $(kernels_of "$n"); do
        cp "$folder/$kernel.cu" "$work/kept.cu"
        t=$(for _ in $(seq "$REPEAT"); do
            edit "$folder/$kernel.cu"
            seconds check "$n"
        done | median)
        grep -q '^PASS' "$work/out" || { cat "$work/out"; failed=1; }
        cp "$work/kept.cu" "$folder/$kernel.cu"
        if awk -v a="$t" -v b="$slowest" 'BEGIN { exit !(a > b) }'; then
            slowest=$t which=$kernel
        fi
    done
    row "edit of one kernel ($which)" "$slowest" $edit_bar
    t=$(for _ in $(seq "$REPEAT"); do seconds nvcc_once "$n" "$which"; done |
        median)
    printf '    of which nvcc takes %21s\n' "$(ratio "$t")"

    slowest=0 which=
    for kernel in $(kernels_of "$n"); do
        cp "$folder/$kernel.cu" "$work/kept.cu"
        spoil "$folder/$kernel.cu"
        t=$(failing "$n" "$kernel")
        cp "$work/kept.cu" "$folder/$kernel.cu"
        if awk -v a="$t" -v b="$slowest" 'BEGIN { exit !(a > b) }'; then
            slowest=$t which=$kernel
        fi
    done
    row "first failing line ($which)" "$slowest" $failing_bar

    rm -rf build/known build/predicted
    check "$n" --seed 7 --json "$work/full.json" >/dev/null
    check "$n" --seed 7 --json "$work/known.json" >/dev/null
    report "$work/full.json" >"$work/full"
    report "$work/known.json" >"$work/known"
    grep -q '"known_seed": 7' "$work/known.json" || { echo 'nothing was known'
        failed=1; }
    if cmp -s "$work/full" "$work/known"; then
        echo '  the same verdicts and counters as with nothing remembered'
    else
        echo '  NOT the same as with nothing remembered:'
        diff "$work/full" "$work/known" | head -20
        failed=1
    fi
done
exit "$failed"
