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

changed() # SED-SCRIPT
{
    sed "$1" book/theme/calc.js >"$work/mutant.js"
    cmp -s book/theme/calc.js "$work/mutant.js" &&
        echo "the change changed nothing: $1"
    [ -n "$(answers "$work/mutant.js")" ] || echo "not noticed: $1"
}

quiet "the C functions answer" asked
quiet "the page answers the same" answers book/theme/calc.js
quiet "a wrong unit of registers is noticed" changed 's/UNIT = 256/UNIT = 512/'
quiet "a wrong unit of shared memory is noticed" \
    changed 's/UNIT = 128/UNIT = 64/'
quiet "what the system reserves counts" changed 's/ + gpu.shared_reserved//'
quiet "a limit that is left out is noticed" changed 's/n.slots, n.reg/n.reg/'
quiet "on the ridge, memory is named" \
    changed 's/at_memory >= at/at_memory > at/'
plan
