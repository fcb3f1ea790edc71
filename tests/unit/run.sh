#!/bin/sh
# SPDX-License-Identifier: MIT
# Every unit test program, as TAP. A program that dies (the sanitizers end it
# so) is one more failure.
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
export CMOCKA_MESSAGE_OUTPUT=TAP
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

make -s BUILD="$build" unit || {
    echo "not ok - the unit tests build"
    exit 1
}
failed=0
for source in tests/unit/*_test.c; do
    name=$(basename "$source" .c)
    "$build/unit/$name" 2>&1
    code=$?
    [ $code -eq 0 ] && continue
    failed=1
    # cmocka's exit code is its number of failed tests.
    [ $code -lt 64 ] || printf '1..1\nnot ok - %s died (%d)\n' "$name" $code
done
exit $failed
