#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of ../handins.sh itself: it must be able to fail. Each case here is a
# hand-in for a stand-in of check, with what handins.sh must make of it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${BUILD:-$here/../../build}
export REAL_CHECK="$build/bin/check"
export BUILD="$work/build" CHECK="$here/check-stand-in.sh"
mkdir -p "$BUILD" "$work/cases"
number=0

# outcome NAME LINE WORDS: handins.sh's first line for the case on standard
# input matches LINE, its text WORDS, and it fails unless LINE begins with ok.
outcome() {
    number=$((number + 1))
    rm -f "$work/cases"/*
    cat >"$work/cases/case.${as:-cu}"
    out=$(LIMIT=${limit:-20} sh "$here/../handins.sh" "$work/cases" 2>&1)
    code=$?
    good=1
    echo "$out" | sed -n 2p | grep -Eq -- "^$2" || good=0
    echo "$out" | grep -Eq -- "$3" || good=0
    case $2 in
    ok*) [ "$code" -eq 0 ] || good=0 ;;
    *) [ "$code" -ne 0 ] || good=0 ;;
    esac
    if [ "$good" -eq 1 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "exit code $code: $out" | sed 's/^/# /'
    fi
}

# shellcheck disable=SC2016  # expanded by the stand-in
say_wrong='echo "WRONG: y[0] unwritten"
// stand-in: echo "{\"verdict\": \"WRONG\"}" >"$report"
// stand-in: exit 17'

outcome 'the expected verdict passes' 'ok 1 - case: it' 'ok' <<END
// mutant: it
// chapter: 05 forward
// expect: WRONG unwritten
// stand-in: $say_wrong
END
outcome 'one of two verdicts passes' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: CRASH|WRONG
// stand-in: $say_wrong
END
outcome 'another verdict fails' 'not ok 1' 'expected RACE, got WRONG' <<END
// chapter: 05 forward
// expect: RACE
// stand-in: $say_wrong
END
outcome 'PASS where a failure is due fails' 'not ok 1' 'got PASS' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: echo "{\"verdict\": \"PASS\"}" >"\$report"
// stand-in: exit 0
END
outcome 'another kind fails' 'not ok 1' 'does not say: shifted' <<END
// chapter: 05 forward
// expect: WRONG shifted
// stand-in: $say_wrong
END
outcome 'words are regular expressions, backslashes included' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: WRONG
// say: \\by\\[0\\]
// stand-in: $say_wrong
END
outcome 'words that are not said fail' 'not ok 1' 'does not say: line 4' <<END
// chapter: 05 forward
// expect: WRONG
// say: y\\[0\\]
// say: line 4
// stand-in: $say_wrong
END
outcome 'a report that says something else fails' 'not ok 1' 'JSON' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: echo "{\"verdict\": \"PASS\"}" >"\$report"
// stand-in: exit 17
END
outcome 'a missing report fails' 'not ok 1' 'JSON' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: exit 17
END
outcome 'a crash of check fails' 'not ok 1' 'no verdict .exit code 139' <<END
// chapter: 05 forward
// expect: CRASH
// stand-in: exit 139
END
outcome 'no expectation fails' 'not ok 1' 'declares no verdict' <<END
// chapter: 05 forward
// stand-in: $say_wrong
END
outcome 'a misspelt verdict fails' 'not ok 1' 'declares no verdict' <<END
// chapter: 05 forward
// expect: WRNOG
// stand-in: $say_wrong
END
limit=1 outcome 'a check that hangs fails' 'not ok 1' 'within 1 s' <<END
// chapter: 05 forward
// expect: TIMEOUT
// stand-in: sleep 30
END
outcome 'escape codes fail' 'not ok 1' 'escape codes' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: printf '\\033[2J'
// stand-in: $say_wrong
END
outcome 'a flood fails' 'not ok 1' 'more than 200 lines' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: yes | head -n 300
// stand-in: $say_wrong
END
outcome 'a process left behind fails' 'not ok 1' 'left a process' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: cp /bin/sleep "\$source/sleep"
// stand-in: "\$source/sleep" 30 >/dev/null 2>&1 &
// stand-in: $say_wrong
END
outcome 'only the kernel that it poses as is checked' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: [ "\$kernel" = forward ] || exit 99
// stand-in: $say_wrong
END
outcome 'what hangs says how long to wait for it' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: WRONG
// patience: 7
// stand-in: [ "\$patience" = 7 ] || exit 99
// stand-in: $say_wrong
END
outcome 'what an older toolkit cannot compile is skipped' 'ok 1 .*# SKIP CUDA' \
    'CUDA [0-9.]+: its compiler crashes' <<END
// mutant: it
// chapter: 05 forward
// since: 99.0 its compiler crashes
// expect: WRONG
// stand-in: exit 99
END
outcome 'and only there' 'not ok 1' 'exit code 99' <<END
// mutant: it
// chapter: 05 forward
// since: 11.8 its compiler crashes
// expect: WRONG
// stand-in: exit 99
END
outcome 'all kernels are, where it says so' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: WRONG
// whole: the others must not suffer
// stand-in: [ -z "\$kernel" ] || exit 99
// stand-in: $say_wrong
END
outcome 'as another kernel it passes, too' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: WRONG
// also: 06 forward, 07 forward
// stand-in: case \$report in *also*) exit 0 ;; esac
// stand-in: $say_wrong
END
outcome 'as another kernel it misses a gate' 'not ok 1' 'as 07 forward: T' <<END
// chapter: 05 forward
// expect: WRONG
// also: 06 forward, 07 forward
// stand-in: case \$report in *also*) echo "TECHNIQUE  missed"; exit 19 ;; esac
// stand-in: $say_wrong
END
outcome 'as a kernel that does not exist it fails' 'not ok 1' 'no such' <<END
// chapter: 05 forward
// expect: WRONG
// also: 07 nonsense
// stand-in: case \$report in *also*) exit 0 ;; esac
// stand-in: $say_wrong
END
outcome 'an unknown chapter fails' 'not ok 1' 'is its chapter solved' <<END
// chapter: 99 forward
// expect: WRONG
//> todo kernel
//< todo
END
outcome 'a hole that does not exist fails' 'not ok 1' 'holes of that name' <<END
// chapter: 05 forward
// expect: WRONG
//> todo nonsense
//< todo
END
# A diff of this solution, with LINE for the stand-in at its end.
solution=$(cd "$here/../.." && echo solutions/05-*/forward.cu)
change() # LINE
{
    { cat "$here/../../$solution" && echo "// stand-in: $1"; } |
        diff -u --label "a/$solution" --label "b/$solution" \
            "$here/../../$solution" -
}
say='echo WRONG; echo "{\"verdict\": \"WRONG\"}" >"$report"; exit 17'
as='diff' outcome 'a changed line is handed in, and the rest' 'ok 1' 'ok' <<END
// chapter: 05 forward
// expect: WRONG
$(change "grep -q dwconv_forward \"\$source/forward.cu\" || exit 99; $say")
END
as='diff' outcome 'another kernel may be what is changed' 'ok 1' 'ok' <<END
// chapter: 06 forward
// expect: WRONG
$(change "$say")
END
as='diff' outcome 'a line that is not there fails' 'not ok 1' 'its diff' <<END
// chapter: 05 forward
// expect: WRONG
$(change "$say" | sed 's/^ /  /')
END
as='diff' outcome 'a diff of no file fails' 'not ok 1' 'its diff has' <<END
// chapter: 05 forward
// expect: WRONG
// stand-in: $say_wrong
END
outcome 'what needs a GPU is skipped and says so' \
    'ok 1 .*# SKIP needs a GPU' 'SKIP' <<END
// chapter: 05 forward
// expect: WRONG
// device: gpu
END
echo "1..$number"
