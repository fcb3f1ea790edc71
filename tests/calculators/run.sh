#!/bin/sh
# SPDX-License-Identifier: MIT
# The page's calculators say what the workbook's C functions say, as TAP, and a
# changed line of theirs is noticed. What they look like is in `make test-book`.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
for tool in node pandoc; do
    command -v $tool >/dev/null && continue
    skip "calculators" "no $tool here"
    plan
done
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

asked()
{
    make -s BUILD="$build" "$build/test/calculators" >"$work/words" 2>&1 ||
        cat "$work/words"
    "$build/test/calculators" >"$work/c"
    lines=$(wc -l <"$work/c")
    [ "$lines" -gt 10000 ] || echo "only $lines questions"
    sh book/lua.sh gpus >"$work/gpus.js" || echo "no table of cards"
}

answers() # CALC.JS
{
    node tests/calculators/calculators.js "$1" "$work/gpus.js" <"$work/c" \
        >"$work/js" 2>"$work/said" || cat "$work/said"
    diff "$work/c" "$work/js" | head -n 5
}

# What CUDA 13's cuda_occupancy.h answers, with the most shared memory that a
# multiprocessor may have: CARD|THREADS|REGISTERS|SHARED BLOCKS.
cuda() # ANSWERS
{
    while read -r asked blocks; do
        grep -q "^blocks .*$asked: .* $blocks\$" "$1" ||
            grep "^blocks .*$asked:" "$1" || echo "nobody asked $asked"
    done <<'END'
H200|32|73|0 24
H200|544|40|0 2
H200|832|73|0 0
H200|128|168|24576 3
A100-SXM4-80GB|32|129|1024 12
T4|32|129|0 12
T4|128|32|4200 8
T4|96|32|4200 10
4090|96|129|4200 4
P100-PCIE-16GB|32|73|0 24
P100-PCIE-16GB|96|40|4200 15
END
}

changed() # SED-SCRIPT
{
    sed "$1" book/theme/calc.js >"$work/mutant.js"
    cmp -s book/theme/calc.js "$work/mutant.js" &&
        echo "the change changed nothing: $1"
    [ -n "$(answers "$work/mutant.js")" ] || echo "not noticed: $1"
}

quiet "the C functions answer" asked
quiet "the page answers the same" answers book/theme/calc.js
quiet "both answer as CUDA does" cuda "$work/c"
quiet "a wrong unit of registers is noticed" changed 's/UNIT = 256/UNIT = 512/'
quiet "a wrong unit of shared memory is noticed" \
    changed 's/256 : 128/256 : 64/'
quiet "so it is for old cards" changed 's/< 8 ? 256/< 7 ? 256/'
quiet "that registers lie in parts is noticed" \
    changed 's/gpu.registers_sm .* gpu.schedulers/gpu.registers_sm/;
        s/part_warps \* gpu.schedulers/part_warps/'
quiet "what the system reserves counts" changed 's/ + gpu.shared_reserved//'
quiet "a limit that is left out is noticed" changed 's/n.slots, n.reg/n.reg/'
quiet "on the ridge, memory is named" \
    changed 's/at_memory >= at/at_memory > at/'
plan
