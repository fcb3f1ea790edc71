#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the rules of style that a program can check, as TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh

sources() # GLOB
{
    find common checker chapters solutions tests -name "$1" | sort
}

long_lines()
{
    {
        for glob in '*.[ch]' '*.sh' '*.cuh'; do sources "$glob"; done
        find chapters solutions -name '*.cu'
    } | xargs awk 'length($0) > 80 { print FILENAME ":" FNR " is too long" }'
}

no_licence()
{
    for glob in '*.[ch]' '*.cu' '*.sh' '*.mk' '*.bats'; do
        sources "$glob"
    done | xargs awk '
        function say() { if (file != "" && !named) print file }
        FNR == 1 { say(); file = FILENAME; named = 0 }
        FNR <= 3 && /SPDX-License-Identifier/ { named = 1 }
        END { say() }'
}

# A suite that tests/run.sh cannot start has no tests.
not_executable() # FILE...
{
    for file in "$@"; do [ -x "$file" ] || echo "$file"; done
}

not_executable_is_seen()
{
    [ -n "$(not_executable tests/tap.sh)" ] || echo "tests/tap.sh passed"
}

# Only an operator, or a stage of one, knows the type of its elements.
assumes_float() # FOLDER...
{
    grep -rn 'sizeof(float)' --include='*.[ch]' "$@" | grep -v '^common/op/'
}

float_is_seen()
{
    false=$(mktemp -d)
    echo 'size_t bytes = n * sizeof(float);' >"$false/a.c"
    assumes_float "$false" | grep -q a.c || echo "sizeof(float) passed"
    rm -rf "$false"
}

shell_lint()
{
    sources '*.sh' | xargs shellcheck -S warning -x -f gcc
}

reference_builds()
{
    docs=$(mktemp -d)
    make -s docs BUILD="$docs" 2>&1 | grep -v '^open '
    [ -f "$docs/docs/html/index.html" ] || echo "no index.html was written"
    rm -rf "$docs"
}

if command -v shellcheck >/dev/null; then
    quiet "shell scripts are shellcheck clean" shell_lint
else
    skip "shell scripts are shellcheck clean" "no shellcheck here"
fi
quiet "every source names its licence on top" no_licence
quiet "suites can be started" not_executable tests/*/run.sh
quiet "one that cannot would be seen" not_executable_is_seen
quiet "no line is longer than 80 columns" long_lines
quiet "no code outside operators knows sizeof(float)" \
    assumes_float common checker tests
quiet "it would be seen" float_is_seen
if command -v doxygen >/dev/null; then
    quiet "the reference of the headers builds without warnings" \
        reference_builds
else
    skip "the reference of the headers" "no doxygen here"
fi
plan
