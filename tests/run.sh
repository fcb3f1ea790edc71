#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh [SUITE...]: runs the test suites, all of them by default, and ends
# with the line `N passed, N failed`. It fails when anything failed.
#
# A suite is an executable tests/NAME/run.sh that prints TAP: `ok 1 - name`,
# `not ok 2 - name` with `# lines` below that say why, `# SKIP reason`, and the
# plan `1..2`. Each gets $BUILD, an absolute path, with the programs built. One
# line per suite shows its time and its processor time (a lower bound: that of
# device processes under bin/simgpu is not counted).
#
# The hard idea: silence is not success. No result, fewer results than planned,
# a nonzero exit code without a failed test, or a skip without a reason counts
# as a failure.
set -u
cd "$(dirname "$0")/.." || exit 1

BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD
unset MAKEFLAGS MFLAGS MAKELEVEL # a suite's own make is independent of ours
# Seconds per suite, for one that hangs: a slow machine takes three times 1200.
LIMIT=${SUITE_LIMIT:-3600}
OUT=$BUILD/test

# FIRST keep one core busy for long, and build what LAST use, whose many cases
# keep all cores busy to the end.
FIRST="chapters grade cli simgpu-programs shapes growth"
LAST="honest cheats mistakes mutants"

in_order() # NAME...: one per line
{
    for name in $FIRST; do
        case " $* " in *" $name "*) echo "$name" ;; esac
    done
    for name; do
        case " $FIRST $LAST " in *" $name "*) ;; *) echo "$name" ;; esac
    done
    for name in $LAST; do
        case " $* " in *" $name "*) echo "$name" ;; esac
    done
}

# Shortly before its limit, names the processes that a suite still has; they
# know it by a variable, whoever their parent is by then.
name_late() # SUITE
{
    i=0
    while kill -0 $$; do
        sleep 2
        i=$((i + 2))
        [ $i -eq $((LIMIT - 10)) ] || continue
        for process in /proc/[0-9]*; do
            grep -qz "^RUN_SUITE=$1\$" "$process/environ" &&
                echo "# late: $(tr '\0' ' ' <"$process/cmdline" | cut -c 1-150)"
        done >>"$OUT/$1.tap"
    done 2>/dev/null >/dev/null
}

run_suite() # NAME: writes its output, exit code and seconds to $OUT
{
    begin=$(date +%s)
    RUN_SUITE=$1
    export RUN_SUITE
    name_late "$1" &
    timeout -k 10 "$LIMIT" "tests/$1/run.sh" >"$OUT/$1.tap" 2>&1 </dev/null
    echo "$? $(($(date +%s) - begin))" >"$OUT/$1.end"
    times >"$OUT/$1.times" # line 2: of the children, that is, the suite
    tally "$1" >"$OUT/$1.sum"
    worked=$(awk -F '[ms ]+' 'NR == 2 {
        printf "%.0f", 60 * ($1 + $3) + $2 + $4 }' "$OUT/$1.times")
    awk -F '\t' -v name="$1" -v worked="$worked" '$1 == "sum" {
        printf "%-18s %4d passed, %d failed%s  (%d s, %d of processors)\n",
            name, $2, $3, $4 ? ", " $4 " skipped" : "", $5, worked
        }' "$OUT/$1.sum"
}

# Prints, separated by tabs: `sum PASSED FAILED SKIPPED SECONDS`, `skip REASON`
# and `text LINE` for details of failures.
tally()
{
    read -r code seconds <"$OUT/$1.end"
    awk -v suite="$1" -v code="$code" -v seconds="$seconds" '
        function failure(text) { failed++; say(text) }
        function say(text) { print "text\t" text; shown = 1 }
        /^(not )?ok([ \t]|$)/ { results++; lines = 0 }
        /^not ok/ { failure(suite ": " $0); lines = 60; next }
        /^ok/ && /# *[Ss][Kk][Ii][Pp]/ {
            reason = $0
            sub(/.*# *[Ss][Kk][Ii][Pp]:?[ \t]*/, "", reason)
            if (reason == "") failure(suite ": skipped without a reason: " $0)
            else { skipped++; print "skip\t" reason }
            next
        }
        /^ok/ { passed++; next }
        /^1\.\.[0-9]+/ {
            planned += substr($1, 4)
            has_plan = 1
            if (/# *[Ss][Kk][Ii][Pp]/) {
                sub(/.*# *[Ss][Kk][Ii][Pp]:?[ \t]*/, "")
                skipped++
                print "skip\t" $0
                skipped_whole = 1
            }
            next
        }
        lines-- > 0 { say("    " $0) }
        { last[NR % 15] = $0 }
        END {
            before = failed
            if (!results && !skipped_whole)
                failure(suite ": no result (exit code " code ")")
            else if (has_plan && planned != results)
                failure(suite ": planned " planned ", got " results + 0 \
                    " results (exit code " code ")")
            else if (code == 124)
                failure(suite ": took longer than it may")
            else if (code && !failed)
                failure(suite ": exit code " code " with no failed test")
            if (failed > before)
                for (i = NR - 14; i <= NR; i++)
                    if (i > 0 && last[i % 15] != "") say("    " last[i % 15])
            print "sum\t" passed + 0 "\t" failed + 0 "\t" skipped + 0 "\t" \
                seconds
        }' "$OUT/$1.tap"
}

if [ "${1-}" = --one ]; then
    run_suite "$2"
    exit
fi

# Scratch folders go into memory where 8 GiB of it are left and programs may run
# there: suites copy and remove the whole tree hundreds of times.
memory_for_scratch()
{
    free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
    [ -z "${TMPDIR-}" ] && [ "${free:-0}" -ge 8388608 ] || return 0
    TMPDIR=$(mktemp -d /dev/shm/warpbook-XXXXXX) || return 0
    chmod 1777 "$TMPDIR" # some suites work as another user
    trap 'rm -rf "$TMPDIR"' EXIT
    trap 'exit 130' INT TERM HUP
    cp /bin/true "$TMPDIR/" && "$TMPDIR/true" 2>/dev/null && export TMPDIR
}

rm -rf "$OUT"
mkdir -p "$OUT" || exit 1
memory_for_scratch
if [ $# -eq 0 ]; then
    for script in tests/*/run.sh; do
        script=${script%/run.sh}
        set -- "$@" "${script#tests/}"
    done
fi
# One more than there are cores: some suites only wait for a while.
in_order "$@" | xargs -P $(($(nproc) + 1)) -n 1 sh tests/run.sh --one

for suite; do
    [ -f "$OUT/$suite.sum" ] ||
        printf 'text\t%s: did not run\nsum\t0\t1\t0\t0\n' "$suite" \
            >"$OUT/$suite.sum"
    cat "$OUT/$suite.sum"
done | awk -F '\t' '
    $1 == "text" { sub(/^text\t/, ""); text = text $0 "\n" }
    $1 == "skip" { skips[$2]++ }
    $1 == "sum" { passed += $2; failed += $3 }
    END {
        printf "%s", text == "" ? "" : "\n" text
        for (reason in skips) print skips[reason] " skipped: " reason
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0 || passed == 0
    }'
