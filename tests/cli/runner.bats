# SPDX-License-Identifier: MIT
# The test runner itself: silence and half an answer are failures.
load scratch

suite() # NAME; stdin: its script
{
    mkdir -p "fake/tests/$1"
    { echo '#!/bin/sh'; cat; } >"fake/tests/$1/run.sh"
    chmod +x "fake/tests/$1/run.sh"
    cp tests/run.sh fake/tests/
}

run_tests()
{
    run sh fake/tests/run.sh "$@"
}

last_line()
{
    [ "${lines[-1]}" = "$1" ] || { echo "$output"; return 1; }
}

@test "passed tests of all suites are counted" {
    printf 'echo "1..2"\necho "ok 1 - a"\necho "ok 2 - b"' | suite one
    printf 'echo "ok 1 - c"\necho "1..1"' | suite two
    run_tests
    [ "$status" -eq 0 ]
    last_line "3 passed, 0 failed"
}

@test "a failure is shown with its words" {
    suite one <<'END'
echo "ok 1 - fine"
echo "not ok 2 - the reason"
echo "# expected 1, got 2"
exit 1
END
    run_tests
    [ "$status" -ne 0 ]
    says "one: not ok 2 - the reason"
    says "expected 1, got 2"
    last_line "1 passed, 1 failed"
}

@test "a suite that prints nothing is a failure" {
    echo "exit 0" | suite one
    run_tests
    [ "$status" -ne 0 ]
    says "one: no result"
    last_line "0 passed, 1 failed"
}

@test "fewer results than planned is a failure" {
    printf 'echo "1..3"\necho "ok 1 - a"' | suite one
    run_tests
    [ "$status" -ne 0 ]
    says "planned 3, got 1"
}

@test "a nonzero exit without a failed test is a failure" {
    printf 'echo "1..1"\necho "ok 1 - a"\necho boom >&2\nexit 3' | suite one
    run_tests
    [ "$status" -ne 0 ]
    says "exit code 3 with no failed test"
    says "boom"
}

@test "a suite that cannot be run is a failure" {
    printf 'echo "ok 1 - a"' | suite one
    chmod -x fake/tests/one/run.sh
    run_tests
    [ "$status" -ne 0 ]
    last_line "0 passed, 1 failed"
}

@test "skips are counted apart, by reason" {
    suite one <<'END'
echo "ok 1 - a # SKIP needs a GPU"
echo "ok 2 - b # SKIP needs a GPU"
echo "ok 3 - c"
echo "1..3"
END
    run_tests
    [ "$status" -eq 0 ]
    says "2 skipped: needs a GPU"
    last_line "1 passed, 0 failed"
}

@test "a skip without a reason is a failure" {
    printf 'echo "ok 1 - a # SKIP"\necho "ok 2 - b"' | suite one
    run_tests
    [ "$status" -ne 0 ]
    says "skipped without a reason"
}

@test "nothing but skips is no success" {
    printf 'echo "1..0 # SKIP nothing here"' | suite one
    run_tests
    [ "$status" -ne 0 ]
    last_line "0 passed, 0 failed"
}

@test "suites can be named" {
    printf 'echo "ok 1 - a"' | suite one
    printf 'echo "not ok 1 - b"' | suite two
    run_tests one
    [ "$status" -eq 0 ]
    last_line "1 passed, 0 failed"
}

@test "what keeps one core busy begins, what keeps all busy ends" {
    mkdir one
    # One suite runs more than there are cores; here, one at a time.
    printf '#!/bin/sh\necho 0\n' >one/nproc
    chmod +x one/nproc
    for name in bugs chapters mutants unit; do
        printf 'echo "ok 1"\necho %s >>"%s"' $name "$PWD/order" | suite $name
    done
    PATH=$PWD/one:$PATH run_tests
    last_line "4 passed, 0 failed"
    [ "$(xargs <order)" = "chapters bugs unit mutants" ]
}

@test "what processors worked is told beside the time it took" {
    suite one <<'END'
user=0m0
while case $user in 0m0*) ;; *) false ;; esac; do
    i=0
    while [ $i -lt 20000 ]; do i=$((i + 1)); done
    times >"$BUILD/t"
    read -r user rest <"$BUILD/t"
done
echo "ok 1 - a"
END
    run_tests
    [[ "$output" =~ \(([0-9]+)\ s,\ ([0-9]+)\ of\ processors\) ]]
    [ "${BASH_REMATCH[2]}" -ge 1 ]
}

@test "of a suite that does not end, the processes are named" {
    printf 'echo "ok 1 - a"\nexec sleep 1000' | suite one
    SUITE_LIMIT=12 run_tests
    [ "$status" -ne 0 ]
    says "one: took longer than it may"
    says "late: sleep 1000"
}
