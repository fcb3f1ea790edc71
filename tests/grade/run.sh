#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests `make grade`, as TAP: a small class with a student of each kind, killed
# midway and taken up again; points, feedback, and pairs of similar hand-ins.
# tests/grade/big.sh does the same with four hundred; tests/handout tests what
# students are given.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD DEVICE=sim TZ=UTC
work=$(mktemp -d) || exit 1
chmod 755 "$work" # an ordinary user looks in, below
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
class=$work/class
grades="$work/the grades"
solution=solutions/01-vector-add

if ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo "1..0 # SKIP no namespaces here, so nothing is graded"
    exit
fi

# Chapter 01, whose check is short -------------------------------------------

student() # NAME: its add.cu is standard input
{
    mkdir -p "$class/$1"
    cat >"$class/$1/add.cu"
}

mischief() # TEXT: the right add.cu, which first does this on the host
{
    text=$1 awk '
        /^cudaError_t vector_add\(/ { print ENVIRON["text"]; seen = 1 }
        { print }
        /^{/ && seen { print "    mischief();"; seen = 0 }' $solution/add.cu
}

make_class()
{
    student right <$solution/add.cu
    cp $solution/program.cu "$class/right"
    cp -R "$class/right" "$class/same again"
    student "O'Neil, \"Zoë\"" <$solution/add.cu
    sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' $solution/add.cu | student '=wrong'
    awk '{ print } /^{/ && !n++ {
        print "    asm volatile(\"{.reg .u32 q; mov.u32 q, 1;\""
        print "                 \"vadd4.u32.u32.u32 q, q, q, q;}\");"
    }' $solution/add.cu | student unknown
    cp $solution/program.cu "$class/unknown"
    student second-download <$solution/program.cu
    mv "$class/second-download/add.cu" "$class/second-download/program.cu"
    cp $solution/add.cu "$class/second-download/add (1).cu"
    student capital <$solution/add.cu
    mv "$class/capital/add.cu" "$class/capital/Add.cu"
    cp $solution/program.cu "$class/capital/program.cu.txt"
    student untouched <chapters/01-vector-add/add.cu
    sed 's|^{|{   // mine\n|; s/\bshape\b/sizes/g; s/\bn\b/count/g' \
        chapters/01-vector-add/add.cu | student touched-up
    echo '#include "../../solutions/01-vector-add/add.cu"' | student thief
    { echo '#include "/etc/passwd"'; cat $solution/add.cu; } | student spy
    { printf '#error "\033[31mred <b> \302\233 SEED=11 /tmp/x"\n'
      cat $solution/add.cu; } | student painter
    mischief '#include <stdio.h>
static void mischief(void)
{
    puts("\nadd.cu  PASS\nPASS  chapter 01; 1.0 s");
    for (int p = 1; p < 30; p++)
        for (int fd = 0; fd < 12; fd++) {
            char path[64], line[64];
            sprintf(path, "/proc/%d/fd/%d", p, fd);
            FILE *f = fopen(path, "r");
            if (f && fgets(line, 64, f)) printf("peeped %s", line);
            f = fopen(path, "a");
            if (f) fputs("scribbled", f), fclose(f);
        }
}' | sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' | student forger
    cp chapters/01-vector-add/add.cu "$class/same again/add (1).cu"
    mkdir "$class/linked" "$class/nothing" "$class/zipped"
    echo PK >"$class/zipped/submission.zip"
    ln -s "$PWD/$solution/add.cu" "$class/linked/add.cu"
    echo text >"$class/a-file"
    mkdir "$class/__MACOSX" # no hand-ins, so no rows
    touch "$class/.DS_Store" "$class/Thumbs.db"
    mkdir -p "$class/buried/my work"
    cp $solution/add.cu "$class/buried/my work"
    mkdir -p "$class/whole tree/chapters/01-vector-add"
    cp $solution/add.cu "$class/whole tree/chapters/01-vector-add"
    mkdir "$class/x\\nanna\\tanna\\t\\tPASS\\t100" "$class/y;=1+1"
    mkdir "$class/bea cox" "$class/bea$(printf '\t')cox"
    mkdir "$class/z;$(printf '\342\200\213')=1+1" # no width
    head -c 2000000 /dev/zero | tr '\0' ' ' | student huge
    mkdir "$class/twice@2026-03-01T10:00" "$class/twice@2026-03-03T10-00"
    cp chapters/01-vector-add/add.cu "$class/twice@2026-03-01T10:00"
    cp "$class/right"/*.cu "$class/twice@2026-03-03T10-00"
}

cat >"$work/expected" <<END
right	PASS	100.0
same again	PASS	100.0
O'Neil, "Zoë"	BUILD	50.0
=wrong	WRONG	-
untouched	WRONG	0.0
touched-up	WRONG	0.0
unknown	UNSUPPORTED	50.0
second-download	BUILD	50.0
capital	BUILD	0.0
thief	BUILD	0.0
spy	BUILD	0.0
painter	BUILD	0.0
forger	WRONG	-
linked	REFUSED	0.0
nothing	BUILD	0.0
zipped	BUILD	0.0
buried	BUILD	0.0
whole tree	BUILD	50.0
a-file	REFUSED	0.0
x\\nanna\\tanna\\t\\tPASS\\t100	BUILD	0.0
y;'=1+1	BUILD	0.0
z;'​=1+1	BUILD	0.0
bea cox	BUILD	0.0
bea␉cox	BUILD	0.0
huge	REFUSED	0.0
twice	PASS	80.0
END
rows=26

cat >"$work/points" <<END
total = 100
PASS = 100
cases = 40
BUILD = 0
REFUSED = 0
deadline = 2026-03-01T12:00Z
late = 10
closed = 7
END

grade() # SETTING...
{
    env FROM="$class" TO="$grades" SEED=11 JOBS=2 POINTS="$work/points" "$@" \
        sh common/cli/grade.sh grade 01 >"$work/out" 2>"$work/err"
}

# A class whose reports are made up, and whose solution is taken on trust: what
# a check says is known, and costs nothing.

report_of() # VERDICT EXIT-CODE OWNER: of four cases of eight
{
    cat <<END
{"schema_version": 1, "chapter": 1, "kind": "chapter", "source": "/handin",
 "source_sha256": "", "toolkit": "", "seed": 1, "verdict": "$1",
 "owner": $3, "exit_code": $2, "kernels": [{"name": "add",
 "verdict": "$1", "owner": $3, "runs": [{"device": {"kind": "sim",
 "name": "H200"}, "correct": {"planned": 8, "cases": 8, "passed": 4}}]}]}
END
}

instant_student() # NAME: its add.cu is standard input
{
    mkdir -p "$work/instant/$1"
    cat >"$work/instant/$1/add.cu"
    report_of WRONG 17 '"you"' >"$work/instant/$1/report.h"
}

make_instant_class()
{
    rm -rf "$work/instant"
    for name in ada bob cyd; do
        echo "int $name;" | instant_student $name
    done
    mkdir -p "$work/bin"
    [ -d "$work/trusting" ] || programs "$work/trusting"
}

programs() # FOLDER: those of $BUILD, of which check trusts the solution
{
    rm -rf "$1"
    mkdir -p "$1/bin"
    ln -s "$BUILD/simgpu" "$BUILD/harness" "$BUILD/vclock" "$1/"
    ln -s "$BUILD"/bin/* "$1/bin/"
    rm "$1/bin/check"
    cat >"$1/bin/check" <<END
#!/bin/sh
[ "\$1" != solution ] || exit 0
exec "$BUILD/bin/check" "\$@"
END
    chmod +x "$1/bin/check"
}

# With the programs of $work/bin, which fail as the tests say.
instant() # SETTING...
{
    env PATH="$work/bin:$PATH" FROM="$work/instant" TO="$work/instant-grades" \
        BUILD="$work/trusting" SEED=11 JOBS=1 SANDBOX=tests/slurm/instant.sh \
        "$@" sh common/cli/grade.sh grade 01
}

instantly() # SETTING...
{
    instant "$@" >"$work/out" 2>"$work/err"
}

instant_points() # each: student, verdict and points
{
    tail -n +2 "$work/instant-grades/gradebook.csv" | cut -d , -f 1-3 |
        paste -sd ' ' -
}

# All of the class as made up; or this of ada, and the others as made up.
instant_points_are() # [VERDICT,POINTS]
{
    [ "$(instant_points)" = \
        "ada,${1-WRONG,10.0} bob,WRONG,10.0 cyd,WRONG,10.0" ] ||
        instant_points
}

# $work/sandbox does COMMAND instead of the first N checks of hand-ins; ada's is
# one that was never checked.
sandbox_which() # N COMMAND
{
    echo "$1" >"$work/times"
    cat >"$work/sandbox" <<END
#!/bin/sh
n=\$(cat "$work/times")
case "\$*" in */.class/work/*'check chapter'*)
    [ "\$n" -eq 0 ] || { echo \$((n - 1)) >"$work/times"; $2; } ;;
esac
exec sh tests/slurm/instant.sh "\$@"
END
    echo "// $1: $2" >>"$work/instant/ada/add.cu"
}

rows_are()
{
    awk -f tests/grade/rows.awk "$work/expected" "$grades/gradebook.csv"
}

# A student without a file, a file without a student: rows with a reason.
lone_ones_have_reasons()
{
    grep '^nothing,BUILD,0.0,.*none of the chapter.s files was handed in' \
        "$grades/gradebook.csv" | grep -q ': add.cu program.cu' || echo nothing
    grep -q '^a-file,REFUSED,0.0,.*not a folder: a hand-in is a folder with' \
        "$grades/gradebook.csv" || echo a-file
    grep -q '^buried,BUILD,0.0,.*; 1 .cu in folders of other names' \
        "$grades/gradebook.csv" || echo buried
}

# Found, and expected: for the grader, and for the student; and anew when the
# name is another one, though no file that counts has changed.
names_are_put_right()
{
    said=' was not read: it must be named'
    grep '^second-download,BUILD,50.0,.*,PASS,50.0,' "$grades/gradebook.csv" |
        grep -q "add (1).cu$said add.cu" || echo second-download
    grep '^capital,BUILD,0.0,' "$grades/gradebook.csv" |
        grep -q "Add.cu$said add.cu; program.cu.txt$said program.cu" ||
        echo capital
    for page in txt html; do
        grep -q "add (1).cu$said add.cu" \
            "$grades/reports/second-download/feedback.$page" || echo $page
    done
    make_instant_class
    for name in Add.cu 'add (2).cu'; do
        mv "$work/instant/ada"/*.cu "$work/instant/ada/$name"
        instantly || cat "$work/err"
        grep '^ada,BUILD,' "$work/instant-grades/gradebook.csv" |
            grep -qF "$name$said" || cat "$work/instant-grades/gradebook.csv"
    done
}

# What systems leave is no hand-in, and what it is may be seen.
strays_are_named()
{
    grep -qx 'Not taken for hand-ins: .DS_Store Thumbs.db __MACOSX' \
        "$work/err" || cat "$work/err"
    grep -e DS_Store -e Thumbs -e MACOSX "$grades/gradebook.csv"
    grep -q '^a-file,REFUSED,0.0,.*put this file into one.*or move it else' \
        "$grades/gradebook.csv" || grep a-file "$grades/gradebook.csv"
}

# Nothing of a hand-in is left unread without a word.
unread_are_named()
{
    grep '^"same again",PASS' "$grades/gradebook.csv" |
        grep -q 'add (1).cu was not read, since add.cu is there, too' ||
        echo "a second download"
    grep '^zipped,' "$grades/gradebook.csv" |
        grep -q 'was not unpacked: submission.zip' || echo "an archive"
    grep '^thief,' "$grades/gradebook.csv" |
        grep -q 'not handed in: program.cu' || echo "a file that is missing"
}

# A command that was stopped has not looked at all, and what stands of the rest
# may be of other points, or of other files.
stale_rows_are_open()
{
    make_instant_class
    instantly || cat "$work/err"
    rm "$work/instant-grades/.class/seen/ada"
    FROM=$work/instant TO=$work/instant-grades \
        CLASS=$work/instant-grades/.class POINTS=common/cli/points \
        DEADLINE='' kernels='add program' \
        sh common/cli/gradebook.sh 01 >"$work/out" 2>&1
    instant_points_are UNGRADED,
    instantly || cat "$work/err"
    instant_points_are
}

# A person decides on the one kernel, and the other keeps its points.
unknown_ones_are_open()
{
    grep '^unknown,UNSUPPORTED,50.0,' "$grades/gradebook.csv" |
        grep ',UNSUPPORTED,,PASS,50.0,.*a person decides: add (vadd4' |
        grep -q -v tried || grep '^unknown' "$grades/gradebook.csv"
    ! grep -q '^again' "$grades/reports/unknown/result" || echo "tried again"
}

# Columns 2 and 3 of a student's row.
row() # NAME [GRADES]
{
    grep "^$1," "${2-$grades}/gradebook.csv" | cut -d , -f 2,3
}

start_in_a_session()
{
    FROM=$class TO=$grades SEED=11 JOBS=2 POINTS=$work/points setsid \
        sh common/cli/grade.sh grade 01 >"$work/out" 2>&1 &
    group=$!
}

until_graded() # N
{
    for _ in $(seq 900); do
        [ "$(find "$grades/reports" -name result 2>/dev/null | wc -l)" -lt \
            "$1" ] || return
        sleep 0.1
    done
}

# Killed all at once, as by a power cut; then asked to stop.
interrupt()
{
    start_in_a_session
    until_graded 1
    kill -s KILL -- "-$group"
    wait "$group"
    killed=$?
    start_in_a_session
    until_graded 4
    kill -s TERM "$group"
    wait "$group"
    stopped=$?
}

interrupted()
{
    [ "$killed,$stopped" = 137,130 ] || echo "exit codes $killed, $stopped"
    for _ in $(seq 50); do
        pgrep -f "bwrap.*$work" >/dev/null || break
        sleep 0.2
    done
    ! pgrep -af "bwrap.*$work" | cut -c 1-200 | grep . ||
        echo "a sandbox is left"
    [ "$(wc -l <"$grades/gradebook.csv")" -eq $((rows + 1)) ] ||
        cat "$grades/gradebook.csv"
    grep -q 'UNGRADED.*ended before' "$grades/gradebook.csv" ||
        echo "nobody is named as not graded yet"
}

taken_up()
{
    # Those that are not graded yet may change: they are graded now.
    find "$grades/reports" -name result \
        ! -exec grep -q "^verdict	UNGRADED" {} \; -exec sha256sum {} + \
        >"$work/before"
    grade || { echo "exit code $?"; cat "$work/err"; }
    sha256sum --quiet -c "$work/before" 2>&1
    [ -z "$(ls "$grades/.class/work")" ] || echo "work is left"
    grep -q ' bin/check$' "$grades/.class/key" ||
        echo "no check depends on the programs"
}

nothing_twice()
{
    touch "$work/mark"
    echo >>"$class/=wrong/add.cu"
    grade || echo "exit code $?"
    again=$(find "$grades" -name result -newer "$work/mark")
    [ "$again" = "$grades/reports/=wrong/result" ] ||
        echo "graded again: $again"
    find "$grades/.class/checked" -name code -newer "$work/mark" |
        grep -c . | sed '/^1$/d'
}

# What was said of a hand-in that is gone is kept, but not among the others.
leaves() # NAME
{
    at=$work/instant-grades
    rm -r "$work/instant/$1"
    instantly || cat "$work/err"
    grep -q "^No longer in FROM=$work/instant: 1. .* $at/reports-gone" \
        "$work/err" || cat "$work/err"
    [ ! -e "$at/reports/$1" ] || echo "it is among the others"
    [ -s "$at/reports-gone/$1/feedback.txt" ] || echo "it is lost"
    grep -F -- "$1" "$at/gradebook.csv"
}

gone_are_aside()
{
    make_instant_class
    name='-le aver'
    echo "int leaver;" | instant_student "$name"
    instantly || cat "$work/err"
    leaves "$name"
    instant_student "$name" </dev/null
    instantly || cat "$work/err"
    [ -s "$at/reports/$name/feedback.txt" ] || echo "it is not back"
    leaves "$name"
    cmp -s "$at/reports-gone/$name/result" \
        "$at/reports-gone/$name.~1~/result" && echo "one is lost"
    [ -s "$at/reports-gone/$name.~1~/feedback.txt" ] ||
        echo "the older one is lost"
    instantly || cat "$work/err"
    ! grep 'No longer' "$work/err"
    rm -r "$at/reports-gone"
}

# A folder that could not be read to its end says nothing of who is gone.
half_a_list_is_none()
{
    make_instant_class
    instantly || cat "$work/err"
    cat >"$work/bin/find" <<END
#!/bin/sh
case "\$*" in
*"/instant "*-print0)
    echo >>"$work/lists"
    [ "\$(wc -l <"$work/lists")" -ne 2 ] || exit 1 ;; # prepare's comes first
esac
exec $(command -v find) "\$@"
END
    chmod +x "$work/bin/find"
    : >"$work/lists"
    instantly
    [ $? -eq 2 ] || echo "exit code not 2"
    grep -q 'could not be listed' "$work/err" || cat "$work/err"
    [ ! -e "$work/instant-grades/reports-gone" ] || echo "all were put aside"
    rm "$work/bin/find"
}

# In a copy of the workbook: what a check depends on grades it again; a bundle
# whose solutions were deleted does not miss them.
all_is_in_the_key()
{
    make_instant_class
    copy=$work/changing
    mkdir -p "$copy"
    git ls-files -z chapters solutions common tests/slurm |
        xargs -0 cp -a --parents -t "$copy"
    rm -rf "$work/instant-grades"
    (cd "$copy" && instantly) || cat "$work/err"
    for file in common/cli/sandbox.sh common/cli/graded.sh \
        chapters/02-honest-timing/chapter.conf chapters/23-shape-map/map.tsv \
        solutions/01-vector-add/add.cu; do
        grep -q " $file\$" "$work/instant-grades/.class/key" ||
            echo "$file is not in the key"
    done
    echo >>"$copy/solutions/01-vector-add/add.cu"
    (cd "$copy" && instantly) || cat "$work/err"
    grep -q '^The solution first' "$work/err" ||
        echo "a solution has changed, and nothing was checked again"
    rm -r "$copy/solutions"
    (cd "$copy" && instantly) || cat "$work/err"
    ! grep '^The solution first' "$work/err"
    instant_points_are
}

# Other points, the same checks. A slip in the file is said.
other_points()
{
    make_instant_class
    for cases in 40 80; do
        printf 'total = 100\nPASS = 100\ncases = %s\n' $cases >"$work/other"
        instantly POINTS="$work/other" || cat "$work/err"
        [ $cases -eq 80 ] || touch "$work/mark"
        tail -n +2 "$work/instant-grades/gradebook.csv" | cut -d , -f 3 |
            grep -vx "$((cases / 4)).0"
    done
    find "$work/instant-grades/.class/checked" -name code -newer "$work/mark"
    echo 'TECHNIQE = 3' >>"$work/other"
    instantly POINTS="$work/other" && echo "a misspelt key is taken"
    grep -q '/other:4: there is no `TECHNIQE' "$work/err" || cat "$work/err"
}

# Nothing that tells of progress now and then still holds the other end.
pipes_end()
{
    make_instant_class
    begun=$(date +%s)
    instant 2>&1 | cat >"$work/out"
    [ $(($(date +%s) - begun)) -lt 40 ] || echo "the pipe ended late"
}

some="right =wrong forger unknown untouched painter twice@2026-03-01T10:00
    twice@2026-03-03T10-00"
some() # SETTING...: a part of the class, graded into another folder
{
    grade FROM="$work/some" TO="$work/some grades" "$@"
}

all_but_times() # GRADES
{
    for name in $some; do
        cat "$1/reports/$name"/feedback.* "$1/reports/$name/result"
    done
}

# In one go, by other jobs and into another folder, where nothing but the
# solution was checked.
jobs_do_not_matter()
{
    mkdir "$work/some" "$work/some grades"
    for name in $some; do cp -R "$class/$name" "$work/some/"; done
    cp -a "$grades/.class" "$work/some grades/"
    rm -r "$work/some grades/.class/checked" "$work/some grades/.class/seen"
    some JOBS=8 || cat "$work/err"
    all_but_times "$grades" >"$work/two.txt"
    all_but_times "$work/some grades" >"$work/eight.txt"
    diff "$work/two.txt" "$work/eight.txt" | head -n 20
    grep -vxFf "$grades/gradebook.csv" "$work/some grades/gradebook.csv"
}

# A check that cannot work is nobody's fault.
machines_fault()
{
    mkdir -p "$work/bin"
    cat >"$work/bin/bwrap" <<END
#!/bin/sh
case "\$*" in *'check chapter'*) echo "check: no memory" >&2; exit 2 ;; esac
exec $(command -v bwrap) "\$@"
END
    chmod +x "$work/bin/bwrap"
    at="$work/some grades"
    echo >>"$work/some/right/add.cu"
    (PATH=$work/bin:$PATH && some) && echo "exit code 0"
    grep -q '^right,UNGRADED,,' "$at/gradebook.csv" || cat "$at/gradebook.csv"
    grep -q 'exit code 2: check: no memory (tried 3 times)' \
        "$at/gradebook.csv" || echo "no reason"
    grep -q 'The same command tries them again' "$work/err" || cat "$work/err"
    grep -q 'not your fault' "$at/reports/right/feedback.txt" ||
        echo "feedback blames the student"
    rm "$work/bin/bwrap"
    some || echo "exit code $?"
    grep -q '^right,PASS,100.0,' "$at/gradebook.csv" || cat "$at/gradebook.csv"
}


# In one command, and alone: one check failed twice, and then did not.
tried_again()
{
    make_instant_class
    instantly || cat "$work/err"
    sandbox_which 2 'kill -9 $$'
    instantly SANDBOX="$work/sandbox" || echo "exit code $?"
    instant_points_are
    [ "$(cat "$work/times")" -eq 0 ] || echo "no check failed"
    [ "$(grep -c '1 could not be graded for the' "$work/err")" -eq 2 ] ||
        cat "$work/err"
}

# Programs of which one is killed at its call number N of those that PATTERN
# matches.
programs_killing() # NAME N PATTERN
{
    rm -f "$work/calls"
    programs "$work/build"
    mv "$work/build/bin/$1" "$work/build/bin/the-$1"
    cat >"$work/build/bin/$1" <<END
#!/bin/sh
case "\$*" in $3)
    echo >>"$work/calls"
    [ "\$(wc -l <"$work/calls")" -ne $2 ] || kill -9 \$\$ ;;
esac
exec "$work/build/bin/the-$1" "\$@"
END
    chmod +x "$work/build/bin/$1"
}

# The facts of points are the fourth that a hand-in is asked for. Who handed in
# the starter is known by alike.
half_said_is_nothing()
{
    make_instant_class
    cp chapters/01-vector-add/add.cu "$work/instant/bob"
    programs_killing check 4 '"--facts "*/work/??????/report.json'
    rm -rf "$work/instant-grades"
    instantly BUILD="$work/build" || cat "$work/err"
    [ "$(instant_points)" = 'ada,WRONG,10.0 bob,WRONG,0.0 cyd,WRONG,10.0' ] ||
        instant_points
    programs_killing alike 2 '"same "*'
    rm -rf "$work/instant-grades/reports"
    instantly BUILD="$work/build" || cat "$work/err"
    [ "$(instant_points)" = 'ada,WRONG,10.0 bob,WRONG,0.0 cyd,WRONG,10.0' ] ||
        instant_points
    grep -q '^1 could not' "$work/err" || cat "$work/err"
}

# Somebody's shell is killed, and another's with the one around it.
the_killed_are_tried_again()
{
    make_instant_class
    cat >"$work/bin/sh" <<END
#!/bin/sh
case "\$KILL \$*" in
'inner common/cli/grade-one.sh '*/ada | 'outer -c '*grade-one.sh*/ada)
    [ -e "$work/killed" ] || { touch "$work/killed" && kill -9 \$\$; } ;;
esac
exec /bin/sh "\$@"
END
    chmod +x "$work/bin/sh"
    for shell in inner outer; do
        rm -rf "$work/instant-grades/reports" "$work/killed"
        instantly KILL=$shell || cat "$work/err"
        [ -e "$work/killed" ] || echo "nobody was killed"
        instant_points_are
        [ $shell = outer ] || grep -q '^1 could not be' "$work/err" ||
            cat "$work/err"
    done
    rm "$work/bin/sh"
}

# At the limit: a machine that is never quiet, one that always is.
at_the_limit()
{
    make_instant_class
    instantly || cat "$work/err"
    sandbox_which 3 'exec sleep 60'
    instantly SANDBOX="$work/sandbox" PATIENCE=0 LEAST=2 QUIET=101 &&
        echo "exit code 0"
    instant_points_are UNGRADED,
    grep -q 'not ended after 2 s, on a machine that' \
        "$work/instant-grades/gradebook.csv" ||
        cat "$work/instant-grades/gradebook.csv"
    sandbox_which 2 'exec sleep 60'
    instantly SANDBOX="$work/sandbox" PATIENCE=0 LEAST=2 QUIET=0 ||
        echo "exit code $?"
    instant_points_are TIMEOUT,0.0
    echo >>"$work/instant/ada/add.cu"
    instantly || echo "exit code $?"
    instant_points_are
}

# What quiet.sh notes of two processors that were idle for so long, busy for so
# long with others and with the hand-in, while a clock went on: seconds.
quiet_is() # EXPECTED IDLE OTHERS OURS CLOCK
{
    awk -v idle="$2" -v others="$3" -v ours="$4" -v clock="$5" \
        -v begin="$work/begin" -v end="$work/end" 'BEGIN {
            form = "cpu  %d 0 0 %d 0 0 0 0 0 0\ncpu0 0\ncpu1 0\n" \
                "clock %d\n0m9s 0m9s\n0m%fs 0m0.50s\n"
            printf form, 700, 900, 1000, 1 >begin
            printf form, 700 + 100 * (others + ours), 900 + 100 * idle,
                1000 + clock, 1 + ours >end
        }'
    got=$(QUIET=50 && . common/cli/quiet.sh &&
        if quiet_between "$work/begin" "$work/end"; then echo yes
        else echo no; fi)
    [ "$got" = "$1" ] || echo "idle $2 s, busy $3 and $4 s of $5 s: $got"
}

quiet_is_all_the_time()
{
    quiet_is yes 200 0 0 100
    quiet_is yes 100 0 100 100
    quiet_is yes 0 0 200 100
    quiet_is yes 110 90 0 100
    quiet_is no 90 110 0 100   # others had more to do
    quiet_is no 10 120 70 100
    quiet_is yes 160 0 0 100
    quiet_is no 140 0 0 100    # it stood still for 30 s
    quiet_is no 4 0 0 100
    quiet_is no 0 0 0 0
    (. common/cli/quiet.sh && note_time "$work/begin" && sleep 1 &&
        timeout 0.4 sh -c 'while :; do :; done'
        note_time "$work/end"
        sed -n '/^[0-9]/p' "$work/begin" "$work/end" | awk -F '[ms ]+' '
            { t[NR] = $2 + $4 }
            END { if (t[4] - t[2] < 0.05) print "no time of ours", t[4] }'
        QUIET=101; ! quiet_between "$work/begin" "$work/end" ||
            echo "more than all of it was free")
}

# A report that says so is the machine's, whatever its verdict.
owners_are_believed()
{
    make_instant_class
    instantly || cat "$work/err"
    report_of TIMEOUT 14 '"machine"' >"$work/machines"
    sandbox_which 1 'cat "'"$work"'/machines" >&9; exit 14'
    instantly SANDBOX="$work/sandbox" || echo "exit code $?"
    instant_points_are
    grep -q '1 could not be graded' "$work/err" || cat "$work/err"
}

# What a power cut leaves: a check without its exit code, half a result.
power_cut()
{
    make_instant_class
    instantly || cat "$work/err"
    at=$work/instant-grades
    rm -rf "$work/whole"
    cp -R "$at/reports" "$work/whole"
    key=$(sed -n 's/^checked	//p' "$at/reports/ada/result")
    : >"$at/.class/checked/$key/code"
    rm "$at/reports/ada/result"
    sed -i 6q "$at/reports/bob/result"
    sed -i 's/^{//' "$at/reports/bob/report.json"
    instantly || cat "$work/err"
    diff -r "$work/whole" "$at/reports"
    instant_points_are
}

# Files that a power cut left empty: of a check that is kept, and the class's.
emptied()
{
    make_instant_class
    instantly || cat "$work/err"
    own=$work/instant-grades/.class
    for name in in/add.cu code; do
        key=$(sed -n 's/^checked	//p' \
            "$work/instant-grades/reports/ada/result")
        : >"$own/checked/$key/$name"
        rm "$work/instant-grades/reports/ada/result"
        instantly || cat "$work/err"
        [ -s "$own/checked/$key/$name" ] || echo "$name: it was kept"
    done
}

# What is renamed into place was written to the disk before.
all_is_synced()
{
    make_instant_class
    rm -rf "$work/instant-grades"
    : >"$work/synced"
    cat >"$work/bin/sync" <<END
#!/bin/sh
printf '%s\n' "\$@" >>"$work/synced"
exec $(command -v sync) "\$@"
END
    chmod +x "$work/bin/sync"
    instantly || cat "$work/err"
    for file in result feedback.txt feedback.html report.json checked/files \
        checked/in/add.cu seed.new chapter.new reference stages \
        known/add/add.cu; do
        grep -q "/$file\$" "$work/synced" || echo "$file"
    done
    rm "$work/bin/sync"
}

# A disk that is full is nobody's fault; and no grade is said to be there.
full_disk()
{
    make_instant_class
    instantly || cat "$work/err"
    ln -s /dev/full "$work/instant-grades/.class/new"
    instantly && echo "exit code 0"
    grep -q 'gradebook.csv could not be written' "$work/err" || cat "$work/err"
    rm -f "$work/instant-grades/.class/new"
    for name in cp dd; do
        cat >"$work/bin/$name" <<END
#!/bin/sh
case "\$*" in *add.cu*) echo "$name: disk full" >&2; exit 1 ;; esac
exec $(command -v $name) "\$@"
END
        chmod +x "$work/bin/$name"
    done
    echo >>"$work/instant/ada/add.cu"
    instantly && echo "exit code 0"
    [ "$(row ada "$work/instant-grades")" = UNGRADED, ] || instant_points
    rm "$work/bin/cp" "$work/bin/dd"
    instantly || cat "$work/err"
    instant_points_are
}

# A file that becomes a link just after one looked.
swapped()
{
    make_instant_class
    file=$work/instant/swapped/add.cu
    for name in stat wc; do
        cat >"$work/bin/$name" <<END
#!/bin/sh
[ "\${PWD##*/}" != swapped ] && [ ! /proc/self/fd/0 -ef "$file" ] ||
    ln -sf "$PWD/$solution/add.cu" "$file"
exec $(command -v $name) "\$@"
END
        chmod +x "$work/bin/$name"
    done
    instant_student swapped <chapters/01-vector-add/add.cu
    instantly
    [ "$(row swapped "$work/instant-grades")" = UNGRADED, ] || instant_points
    [ -L "$file" ] || echo "it became no link"
    rm -r "$work/bin/stat" "$work/bin/wc"
}

# Students may have been handed out no later lesson than the chapter's.
no_later_lesson()
{
    for grade in '' --grade; do
        "$BUILD/bin/check" chapter 5 --src solutions/05-dwconv-coalesced \
            --kernel forward --device sim --build "$BUILD" --root . \
            --remember "$BUILD/predicted" --json "$work/later.json" $grade |
            grep -c 'chapters/06-'
    done | paste -sd ' ' - | grep -vx '1 0'
}

# Cases that were run and those left out are the planned ones, of which points
# are a share.
counts_add_up()
{
    for name in '=wrong' untouched; do
        report=$grades/reports/$name/report
        "$BUILD/bin/check" --facts "$report.json" | awk -F '\t' '
            $1 ~ /runs\/1\/correct\/planned$/ { n += $2 }
            END { print n }' >"$work/planned"
        awk '/ cases right on the / { sum += $4 }
            match($0, /\([0-9]+ more case/) {
                sum += substr($0, RSTART + 1) }
            END { print sum }' "$report.txt" |
            cmp -s - "$work/planned" || cat "$work/planned" "$report.txt"
    done
}

feedback_is_clean()
{
    cat "$grades"/reports/*/feedback.* >"$work/all"
    grep -n -e "$work" -e '/handin' -e '/workbook' -e '/tmp' -e 'Seed' \
        -e 'SEED=[0-9]' -e "$PWD" -e 'scribbled' -e 'peeped 11' "$work/all"
    ! LC_ALL=C grep -q "$(printf '\033\|\302\233')" "$work/all" ||
        echo "an escape code"
    grep -q '50.0 of 50.0 points' "$work/all" || echo "no points"
    cat "$grades"/reports/*/feedback.html | grep -n '<b>'
    grep -q 'red &lt;b&gt;' "$grades/reports/painter/feedback.html" ||
        echo "the page does not quote what nvcc said"
    grep -l scribbled "$grades"/reports/*/report.*
    for kernel in add program; do
        grep -q "<h2>$kernel.cu  PASS</h2>" \
            "$grades/reports/right/feedback.html" || echo "no part of $kernel"
    done
}

# By bytes, and by what is left without names.
similar_are_paired()
{
    tr '\n' ' ' <"$grades/similar.txt" |
        grep -q 'program .*equal, 5 .*: right; same again; second.*twice; u' ||
        cat "$grades/similar.txt"
    grep touched "$grades/similar.txt"
}

# No solution is taken for its starter, and each starter is one, renamed.
starters_are_known()
{
    for file in chapters/*/*.cu; do
        solved=solutions/${file#chapters/}
        ! "$BUILD/bin/alike" same "$solved" "$file" ||
            echo "$solved is taken for its starter"
        sed -e 's/\brow\b/my_row/g; s/\bsum\b/my_sum/g; s/\bi\b/my_i/g' \
            -e 's|;$|; // x|; s/^    //' "$file" >"$work/renamed.cu"
        "$BUILD/bin/alike" same "$work/renamed.cu" "$file" ||
            echo "$file is not known again"
    done
}

# Three people: two share most of a function, the third wrote another.
pairs_by_winnowing()
{
    {
        sed -n '/^static __global__/,/^}/p' \
            solutions/07-dwconv-warp-tiled/forward.cu
    } >"$work/one.cu"
    { sed 's/\bh\b/head/g; s/\bt\b/time/g' "$work/one.cu"
      echo 'static int more(int a) { return a * a + 3 * a; }'; } >"$work/two.cu"
    sed -n '/^static __global__/,/^}/p' solutions/10-*/gemm.cu >"$work/six.cu"
    for name in one two six; do
        printf '%s\t%s\n' "$name" "$work/$name.cu"
    done | "$BUILD/bin/alike" pairs >"$work/pairs"
    grep -qx '[0-9]*	one	two' "$work/pairs" || cat "$work/pairs"
    grep six "$work/pairs"
    # What was handed out does not count.
    printf '%s\t%s\n' one "$work/one.cu" two "$work/two.cu" |
        "$BUILD/bin/alike" pairs "$work/one.cu"
}

# The same kernel, its code moved to where a careless reader does not look.
hide() # HOW: $work/hide/HOW/k.cu, from $work/hide/plain/k.cu
{
    from=$work/hide/plain/k.cu to=$work/hide/$1
    mkdir -p "$to"
    case $1 in
    include)
        cp "$from" "$to/mine.cuh"
        echo '#include "mine.cuh"' >"$to/k.cu" ;;
    include_twice)
        cp "$from" "$to/b.h"
        echo '#include "./b.h"' >"$to/a.cuh"
        echo '#  include "a.cuh"' >"$to/k.cu" ;;
    include_by_macro)
        cp "$from" "$to/mine.h"
        printf '#define FILE "mine.h"\n#include FILE\n' >"$to/k.cu" ;;
    include_source_by_macro)
        cp "$from" "$to/mine.c"
        printf '#define FILE "mine.c"\n#include FILE\n' >"$to/k.cu" ;;
    include_source)
        cp "$from" "$to/mine.cu"
        echo '#include ".//mine.cu"' >"$to/k.cu" ;;
    digraph)
        cp "$from" "$to/mine.h"
        echo '%:include "mine.h"' >"$to/k.cu" ;;
    digraphs)
        sed 's/\[/<:/g; s/\]/:>/g; s/{/<%/; s/}/%>/' "$from" >"$to/k.cu" ;;
    import)
        cp "$from" "$to/mine.h"
        echo '#import "mine.h"' >"$to/k.cu" ;;
    comments)
        cp "$from" "$to/mine.h"
        printf '/**/ #/*\n*/ include /* */"mine.h"\n' >"$to/k.cu" ;;
    words) # of the language, under other names
        printf '#define %s\n' 'loop for' 'real float' 'unless(x) if (!(x))' \
            'add(a, b) a += b' >"$to/k.cu"
        sed 's/\bfor\b/loop/g; s/\bfloat\b/real/g
            s/\(part\) += \(.*\);/add(\1, \2);/' "$from" >>"$to/k.cu" ;;
    body) # all of it, in one macro
        { printf '#define ALL '
          sed 's|//.*||; s|$| \\|' "$from"
          printf '\nALL\n'; } >"$to/k.cu" ;;
    raw)
        { echo 'asm(R"x('; cat "$from"; echo ')x");'; } >"$to/k.cu" ;;
    literal)
        { echo 'asm('; sed 's|//.*||; s/"/./g; s/.*/"& \\n"/' "$from"
          echo ');'; } | tr -d '\n' >"$to/k.cu" ;;
    raw_before) # which a reader of plain literals takes for a comment's begin
        { printf 'const char *a = R"(\n/* )";\n'; cat "$from"; } >"$to/k.cu" ;;
    joined)
        sed 's/float/flo\\\nat/; s/for (/fo\\\nr (/' "$from" >"$to/k.cu" ;;
    bomb) # stands for a billion words
        { printf '#define A0 x x x x x x x x\n'
          for i in 1 2 3 4 5 6 7 8 9; do
              n=A$((i - 1))
              echo "#define A$i $n $n $n $n $n $n $n $n"
          done
          cat "$from"; echo 'int z = A9;'; } >"$to/k.cu" ;;
    esac
}

hidden_code_is_found()
{
    mkdir -p "$work/hide/plain"
    cp solutions/07-dwconv-warp-tiled/forward.cu "$work/hide/plain/k.cu"
    cp solutions/10-*/gemm.cu "$work/hide/other.cu"
    for how in include include_twice include_by_macro include_source_by_macro \
        include_source digraph digraphs import comments words body raw literal \
        raw_before joined bomb; do
        hide $how
        printf '%s\t%s\n' plain "$work/hide/plain/k.cu" \
            $how "$work/hide/$how/k.cu" other "$work/hide/other.cu" |
            timeout 20 "$BUILD/bin/alike" pairs >"$work/pairs" ||
            echo "$how: exit code $?"
        grep -q "	plain	$how\$" "$work/pairs" || {
            echo "$how is not paired"
            cat "$work/pairs"
        }
        grep other "$work/pairs"
    done
    # A header of the workbook is nobody's, and no path leads out of the folder.
    mkdir -p "$work/hide/out"
    echo '#include "../plain/k.cu"' >"$work/hide/out/k.cu"
    ln -s ../plain/k.cu "$work/hide/out/link.cuh"
    echo '#include "link.cuh"' >>"$work/hide/out/k.cu"
    printf '%s\t%s\n' plain "$work/hide/plain/k.cu" \
        out "$work/hide/out/k.cu" | "$BUILD/bin/alike" pairs
}

# Texts that no person writes: who wrote one is read, or named, in no time.
too_much() # WHAT: the text
{
    case $1 in
    nested) # ninety thousand raw literals, each in the one before
        awk 'BEGIN {
            for (i = 100000; i < 190000; i++) printf "R\"%d(", i
            for (i = 189999; i >= 100000; i--) printf ")%d\"", i
        }' ;;
    open) # calls that do not end
        echo '#define M(a) a'
        yes 'M(' | head -n 300000 ;;
    product)
        echo "#define M(x) $(yes x | head -n 10000 | tr '\n' ' ')"
        echo "M($(yes 1 | head -n 400000 | tr '\n' ' '))" ;;
    long) # words of half a megabyte, a quarter of a million times
        printf '#define A %0500000d\n' 0
        yes A | head -n 250000 ;;
    esac
}

limits_hold()
{
    plain=$work/plain.cu
    cp solutions/07-dwconv-warp-tiled/forward.cu "$plain"
    for what in nested open product long; do
        { cat "$plain"; too_much $what; } >"$work/much.cu"
        printf '%s\t%s\n' plain "$plain" much "$work/much.cu" |
            prlimit --cpu=4 --as=400000000 "$BUILD/bin/alike" pairs \
                >"$work/pairs" || echo "$what: exit code $?"
        grep -q '	plain	much$' "$work/pairs" || {
            echo "$what is not paired"
            cat "$work/pairs"
        }
    done
}

endless() # raw literals without an end: to look for each would take seconds
{
    yes 'R"a(' | head -n 400000
}

# The others are compared all the same.
unreadable_are_named()
{
    cp solutions/07-dwconv-warp-tiled/forward.cu "$work/plain.cu"
    endless >"$work/endless.cu"
    printf '%s\t%s\n' one "$work/plain.cu" e "$work/endless.cu" \
        gone "$work/no-such.cu" two "$work/plain.cu" |
        prlimit --cpu=4 "$BUILD/bin/alike" pairs >"$work/pairs" ||
        echo "exit code $?"
    printf '%s\t%s\t%s\n' same one two unread e gone |
        diff - "$work/pairs"
}

# Grades of three, as grade.sh leaves them to gradebook.sh.
graded_by_hand()
{
    rm -rf "$work/hand"
    mkdir -p "$work/hand/to" "$work/hand/class/known/forward"
    echo >"$work/hand/class/known/forward/forward.cu"
    for name in one e two; do
        mkdir -p "$work/hand/from/$name" "$work/hand/to/reports/$name" \
            "$work/hand/class/checked/$name/in"
        if [ $name = e ]; then endless; else cat solutions/07-*/forward.cu
        fi >"$work/hand/class/checked/$name/in/forward.cu"
        printf '%s\t%s\n' student $name verdict PASS checked $name end '' \
            >"$work/hand/to/reports/$name/result"
    done
}

gradebook() # BUILD
{
    (cd "$work/hand" && echo old >to/similar.txt) || return
    BUILD=$1 TO=$work/hand/to FROM=$work/hand/from CLASS=$work/hand/class \
        POINTS=common/cli/points DEADLINE='' kernels=forward \
        sh common/cli/gradebook.sh >"$work/table" 2>"$work/err"
}

table_is_printed()
{
    graded_by_hand
    gradebook "$BUILD" || cat "$work/err"
    grep -qx '  not compared: e' "$work/hand/to/similar.txt" &&
        grep -qx '  equal, 2 hand-ins: one; two' "$work/hand/to/similar.txt" ||
        cat "$work/hand/to/similar.txt"
    mkdir -p "$work/no/bin"
    gradebook "$work/no"
    [ $? -eq 2 ] || echo "no list, and another exit code than 2"
    grep -q '^two  *PASS' "$work/table" || echo "no table"
    [ ! -e "$work/hand/to/similar.txt" ] || echo "an old list stays"
}

# A process that makes one line of the table is killed: no row is lost unsaid.
no_row_is_lost()
{
    graded_by_hand
    mkdir -p "$work/bin"
    cat >"$work/bin/sh" <<'END'
#!/bin/sh
case "$2 $3" in '--line '*/one) kill -9 $$ ;; esac
exec /bin/sh "$@"
END
    chmod +x "$work/bin/sh"
    echo old >"$work/hand/to/gradebook.csv"
    (PATH=$work/bin:$PATH && gradebook "$BUILD")
    [ $? -eq 2 ] || echo "rows are missing, and another exit code than 2"
    [ "$(cat "$work/hand/to/gradebook.csv")" = old ] ||
        cat "$work/hand/to/gradebook.csv"
    grep -q 'The table has not all hand-ins' "$work/err" || cat "$work/err"
    rm "$work/bin/sh"
    gradebook "$BUILD" || cat "$work/err"
    [ "$(wc -l <"$work/hand/to/gradebook.csv")" -eq 4 ] ||
        cat "$work/hand/to/gradebook.csv"
}

# An ordinary user, with a checkout that is root's and read only.
another_user()
{
    copy=$work/checkout
    mkdir -p "$copy/build" "$work/mine"
    git ls-files -z | xargs -0 cp -a --parents -t "$copy" 2>/dev/null
    for part in bin gen hardware harness o profile simgpu vclock; do
        [ ! -d "$BUILD/$part" ] || cp -a "$BUILD/$part" "$copy/build"
    done
    cp -R .git "$copy/.git" 2>/dev/null
    chmod -R a+rX,a-w "$copy"
    mkdir -p "$work/theirs"
    cp -R "$class/right" "$class/forger" "$work/theirs"
    chown 65533 "$work/mine"
    (cd "$copy" && setpriv --reuid 65533 --regid 65533 --clear-groups \
        env BUILD=build make grade 1 FROM="$work/theirs" \
        TO="$work/mine/grades" SEED=11 JOBS=2 >"$work/out" 2>&1) ||
        cat "$work/out"
    cut -d , -f 1,2 "$work/mine/grades/gradebook.csv" | tr -d '\r' |
        paste -sd ' ' - | grep -v '^student,verdict forger,WRONG right,PASS$'
    grep -l -e scribbled -e 'peeped 11' "$work"/mine/grades/reports/*/*
}

refuses() # FROM WORDS [SETTING...]
{
    from=$1 words=$2
    shift 2
    env FROM="$from" TO="$work/other" "$@" sh common/cli/grade.sh grade 01 \
        >"$work/out" 2>&1
    [ $? -eq 2 ] || echo "exit code not 2"
    grep -q "$words" "$work/out" || cat "$work/out"
}

# A line of the points' file is refused where it stands, with what to write, and
# before anything is made.
slip() # LINE WORDS [NUMBER]
{
    printf 'total = 100\n\n%s\n' "$1" >"$work/slip"
    rm -rf "$work/other"
    refuses "$class" "$work/slip:${3-3}: $2" POINTS="$work/slip"
    [ ! -e "$work/other" ] || echo "$1: something was begun"
}

slips_are_refused()
{
    slip 'SLOW = 80' '`PASS` is missing' 4
    slip 'PASS = 100' '`cases` is missing.*add: cases = 40' 4
    slip 'deadline = 2026-01-01T10:00Z' '`late` is missing.*late = 10' 6
    slip 'deadline = 2026-13-01T10:00Z' 'deadline.*no month 13; write it as'
    slip 'deadline = 2026-00-01T10:00Z' 'deadline.*no month 00; write'
    slip 'deadline = 2026-11-31T10:00Z' 'deadline.*has no day 31; write'
    slip 'deadline = 2026-02-29T10:00Z' 'deadline.*has no day 29; write'
    slip 'deadline = 2100-02-29T10:00Z' 'deadline.*has no day 29; write'
    slip 'deadline = 2026-11-30T24:61Z' 'deadline.*no hour 24; a day.*; write'
    slip 'deadline = 2026-11-30T23:61Z' 'deadline.*no minute 61; write'
    slip 'deadline = 2026-11-30T23:59:60Z' 'deadline.*no second 60; write'
    slip 'deadline = 2026-11-30T23:59' 'deadline.*zone is missing; write'
    slip 'deadline = 2026-11-30T23:59+1' 'deadline.*`+1` is no zone; write'
    slip 'deadline = 2026-11-30T23:59+15:00' 'deadline.*is no zone; write'
    slip 'deadline = 2026-11-30 23:59Z' 'deadline.*not of that form; write'
    slip 'deadline = tomorrow' 'deadline.*not of that form; write'
    slip 'late = ten' 'late is a number, such as 40'
    slip 'late = 110' 'late is a percentage, 100 at most'
    slip 'closed = 1.5' 'closed is a number of whole days'
    slip 'closed = -1' 'closed is a number, such as 7'
    slip 'keep = newest' 'keep is best or last, not newest'
    slip 'total = 50' '`total` stands in line 1, too'
    slip 'add = 0
program = 0' 'every kernel is worth 0.*: add = 100' 4
    slip 'PASS' 'this is no `key = value`: PASS'
    slip 'PASS = ' 'this is no `key = value`'
    slip 'Pass = 100' 'there is no `Pass`; known are'
    for good in 2028-02-29T00:00Z 2000-02-29T23:59:59-11:30; do
        printf '%s\n' 'total = 1' 'PASS = 100' 'cases = 0' 'late = 0' \
            "deadline = $good" >"$work/slip"
        awk -f common/cli/settings.awk -v known=PASS -v kernels=add "$work/slip"
    done
}

# What its kernels are worth, if that is not `total`; no error.
worth_is() # LINE WORDS
{
    printf 'total = 100\nPASS = 100\ncases = 40\n%s\n' "$1" >"$work/uneven"
    FROM=$class TO=$work/other POINTS=$work/uneven DEVICE=none \
        sh common/cli/grade.sh grade 01 2>&1 | grep ' points at most' |
        sed 's/.* is worth //' >"$work/out"
    [ "$(cat "$work/out")" = "$2" ] || echo "$1: $(cat "$work/out")"
}

total_is_said()
{
    worth_is ''
    worth_is 'add = 50'
    worth_is 'add = 40
program = 60'
    not='points at most, and not the `total` of 100:'
    worth_is 'add = 70' "120.0 $not add 70.0, program 50.0"
    worth_is 'add = 0' "50.0 $not add 0.0, program 50.0"
    env POINTS="$work/uneven" FOR=vpl TO="$work/other" SEED=none \
        sh common/cli/export.sh export 01 2>&1 |
        grep -q 'worth 50.0 points at most' || echo "make export does not say"
}

# As some editors write a file in UTF-8.
mark_before_points()
{
    make_instant_class
    printf '\357\273\277cases = 40\r\ntotal = 100\r\nPASS = 100\r\n' \
        >"$work/marked-points"
    instantly POINTS="$work/marked-points" || cat "$work/err"
    instant_points_are
}

# The minute that a deadline names is in time, and a day begins a second later.
days_late_are() # DAYS FOLDER-TIME...
{
    days=$1
    shift
    for at; do
        got=$(grep "^$at," "$work/dated/gradebook.csv" | cut -d , -f 5)
        [ "$got" = "$days" ] || echo "$at: $got days late, not $days"
    done
}

dated() # SETTING...
{
    instantly FROM="$work/dates" TO="$work/dated" \
        POINTS="$work/dated-points" "$@"
}

days_begin()
{
    printf '%s\n' 'total = 10' 'PASS = 100' 'cases = 0' 'late = 10' \
        'deadline = 2026-03-01T13:00+01:00' 'closed = 2' >"$work/dated-points"
    make_instant_class
    for at in 2026-02-20T00:00 2026-03-01T12:00 2026-03-01T12:00:59 \
        2026-03-01T13:00:59+01:00 2026-03-01T12:01 2026-03-02T12-00 \
        2026-03-02T12:01Z 2026-03-03T12:00:59 2026-03-03T12:01 \
        2026-03-01T07:00:59-05:00 2026-03-01T08:01-0400 2026-03-01T07:01-05 \
        2026-02-30T12:00 2026-03-01T24:00 2026-03-01T12:60; do
        mkdir -p "$work/dates/$at@$at"
        cp $solution/add.cu "$work/dates/$at@$at"
        report_of PASS 0 null >"$work/dates/$at@$at/report.h"
    done
    dated
    days_late_are 0 2026-02-20T00:00 2026-03-01T12:00 2026-03-01T12:00:59 \
        2026-03-01T13:00:59+01:00 2026-03-01T07:00:59-05:00
    days_late_are 1 2026-03-01T12:01 2026-03-02T12-00 2026-03-01T08:01-0400 \
        2026-03-01T07:01-05
    days_late_are 2 2026-03-02T12:01Z 2026-03-03T12:00:59
    days_late_are 3 2026-03-03T12:01
    grep -q '^2026-03-03T12:01,PASS,0.0,' "$work/dated/gradebook.csv" ||
        echo "it is not closed after two days"
    for at in 2026-02-30T12:00 2026-03-01T12:60; do
        grep "^$at," "$work/dated/gradebook.csv" |
            grep -q "UNGRADED.*there is no such time; rename" || echo "$at"
    done
}

# Days are the grader's, and no result of another zone stays.
zones_count()
{
    dated TZ=EST5
    days_late_are 1 2026-03-01T12:00
    days_late_are 2 2026-03-02T12-00 2026-03-02T12:01Z
    days_late_are 0 2026-03-01T13:00:59+01:00
}

# Whatever is a node's, or a sandbox script's.
zone_is_fixed()
{
    printf '#!/bin/sh\necho "${TZ-none}" >"%s"\nexit 1\n' "$work/zone" \
        >"$work/says-zone"
    for zone in EST5 ''; do
        env ${zone:+TZ=$zone} FROM="$class" TO="$work/zoned" \
            SANDBOX="$work/says-zone" sh common/cli/grade.sh grade 01
        cat "$work/zone"
        unset TZ
    done >"$work/out" 2>&1
    grep -qx EST5 "$work/out" || cat "$work/out"
    grep -qx -e ":$work/zoned/.class/zone" -e UTC0 "$work/out" ||
        cat "$work/out"
}

is_time() # NAME'S-TIME UTC; nothing: it is none
{
    got=$(sh -c '. common/cli/hand-in.sh; split_name "$1"; echo "$time"' sh \
        "anna@2026-11-30T$1")
    [ "$got" = "${2:+2026-$2Z}" ] || echo "$1 is taken for $got"
}

offsets_are_read()
{
    for at in 23:59-05 23:59-05:00 23:59-0500 2359-05 2359-0500 23-59-0500 \
        23-59-05:00 23:59:00-05 235900-0500 23-59-00-05-00; do
        is_time $at 12-01T04:59:00
    done
    for at in 23-59-05 235905 23.59.05 23:59:05 23:59:05Z 23-59-05+00 \
        23:59:05.25; do
        is_time $at 11-30T23:59:05
    done
    is_time 23:59+01:00 11-30T22:59:00
    is_time 2359+0530 11-30T18:29:00
    is_time 23-59+01-00 11-30T22:59:00
    for at in 23-59-05-00 23:59-30 23:5930 23 23:59-15 23:60 ''; do
        is_time "$at"
    done
}

# A copy that a full disk cuts off is no zone, and UTC is not taken instead.
zone_is_whole()
{
    [ -e /etc/localtime ] || return
    make_instant_class
    printf '#!/bin/sh\ncase "$*" in *localtime*) exit 1 ;; esac\n%s "$@"\n' \
        "exec $(command -v cp)" >"$work/bin/cp"
    chmod +x "$work/bin/cp"
    (unset TZ && instantly)
    [ $? -eq 2 ] || echo "exit code not 2"
    grep -q 'time zone could not be copied' "$work/err" || cat "$work/err"
    rm "$work/bin/cp"
}

# What looks like a date is no name: DEADLINE and `keep` would pass it by.
names_are_read()
{
    (
        . common/cli/hand-in.sh
        for name in 'ivo@30.11.2026 23:59' ivo@2026-11-30 ivo@11/30/2026 \
            'ivo@2026-12-03 1000'; do
            split_name "$name"
            [ "$student/${no_time:+none}" = ivo/none ] || echo "$name"
        done
        for name in ivo ivo@uni.de ivo@1234567 ivo@2026-spring a@b@c; do
            split_name "$name"
            [ "$student/$no_time" = "$name/" ] || echo "$name"
        done
    )
}

# A table of results made up, with the last of a student's hand-ins.
made_up() # HAND-IN [VERDICT TIME]; without a verdict it was not graded
{
    mkdir -p "$work/up/$1" "$work/up-grades/reports/$1"
    [ -z "$2" ] || printf '%s\t%s\n' student "${1%@*}" time "$3" verdict "$2" \
        sum "50	100" end . >"$work/up-grades/reports/$1/result"
}

open_ones_count()
{
    mkdir -p "$work/up-grades/.class"
    echo 'keep = last' >"$work/up-points"
    made_up lost@2026-11-29T10:00 PASS 2026-11-29T10:00:00Z
    made_up lost@2026-11-30T10:00
    made_up older@2026-11-29T10:00
    made_up older@2026-11-30T10:00 PASS 2026-11-30T10:00:00Z
    made_up dateless@2026-02-30T10:00 UNGRADED
    made_up dateless@2026-03-29T10:00 PASS 2026-03-29T10:00:00Z
    made_up undated@2026-11-29T10:00 PASS 2026-11-29T10:00:00Z
    made_up undated@2026-11-31T10:00 UNGRADED
    made_up anna@2026-spring
    made_up bert@2026-11-30T10:00:00-05:00
    FROM=$work/up TO=$work/up-grades CLASS=$work/up-grades/.class DEADLINE='' \
        POINTS=$work/up-points kernels='' sh common/cli/gradebook.sh 01 \
        >"$work/out" 2>&1 && echo "exit code 0"
    got=$(cut -d , -f 1,2,6 "$work/up-grades/gradebook.csv" | tail -n +2)
    [ "$got" = "anna@2026-spring,UNGRADED,anna@2026-spring
bert,UNGRADED,bert@2026-11-30T10:00:00-05:00
dateless,UNGRADED,dateless@2026-02-30T10:00
lost,UNGRADED,lost@2026-11-30T10:00
older,PASS,older@2026-11-30T10:00
undated,UNGRADED,undated@2026-11-31T10:00" ] || echo "$got"
}

# Per kernel: VERDICT POINTS, of 50 each; no points: a person decides.
with_kernels() # HAND-IN VERDICT SUM VERDICT POINTS VERDICT POINTS
{
    mkdir -p "$work/up/$1" "$work/up-grades/reports/$1"
    {
        printf '%s\t%s\n' student "${1%@*}" time "${1#*@}" verdict "$2"
        [ "$2" != UNSUPPORTED ] || printf 'reason\tvadd4 of %s\n' "$1"
        printf 'kernel\t%s\t%s\t%s\t50.0\n' k1 "$4" "$5" k2 "$6" "$7"
        printf 'sum\t%s\t100.0\nend\t.\n' "$3"
    } >"$work/up-grades/reports/$1/result"
}

# What a person might decide on is in the row, also if another one counts.
open_kernels_stay_in_sight()
{
    rm -rf "$work/up" "$work/up-grades"
    mkdir -p "$work/up-grades/.class"
    with_kernels anna@29 UNSUPPORTED 50.0 PASS 50.0 UNSUPPORTED ''
    with_kernels anna@30 WRONG 56.0 PASS 50.0 WRONG 6.0
    with_kernels ben@29 UNSUPPORTED 6.0 WRONG 6.0 UNSUPPORTED ''
    with_kernels ben@30 WRONG 56.0 PASS 50.0 WRONG 6.0
    with_kernels cid@29 UNSUPPORTED 50.0 PASS 50.0 UNSUPPORTED ''
    for keep in best last; do
        echo "keep = $keep" >"$work/up-points"
        FROM=$work/up TO=$work/up-grades CLASS=$work/up-grades/.class \
            DEADLINE='' POINTS=$work/up-points kernels='k1 k2' BUILD=$BUILD \
            sh common/cli/gradebook.sh 01 >"$work/out" 2>&1
        tr -d '\r"' <"$work/up-grades/gradebook.csv" | tail -n +2
    done >"$work/got"
    diff - "$work/got" <<'END'
anna,WRONG,56.0,100.0,,anna@30,2,PASS,50.0,WRONG,6.0,anna@29: vadd4 of anna@29
ben,WRONG,56.0,100.0,,ben@30,2,PASS,50.0,WRONG,6.0,
cid,UNSUPPORTED,50.0,100.0,,cid@29,1,PASS,50.0,UNSUPPORTED,,vadd4 of cid@29
anna,WRONG,56.0,100.0,,anna@30,2,PASS,50.0,WRONG,6.0,
ben,WRONG,56.0,100.0,,ben@30,2,PASS,50.0,WRONG,6.0,
cid,UNSUPPORTED,50.0,100.0,,cid@29,1,PASS,50.0,UNSUPPORTED,,vadd4 of cid@29
END
}

# The terminal's table is straight, whatever the letters of a name.
columns_are_straight()
{
    mkdir -p "$work/wide-grades/.class"
    for name in Muller Müller 李雷 김 Жан 😀 \
        "$(printf 'Mu\314\210ller')" "$(printf 'a\342\200\213b')"; do
        mkdir -p "$work/wide/$name" "$work/wide-grades/reports/$name"
        printf '%s\t%s\n' student "$name" verdict PASS end . \
            >"$work/wide-grades/reports/$name/result"
    done
    FROM=$work/wide TO=$work/wide-grades CLASS=$work/wide-grades/.class \
        POINTS=common/cli/points DEADLINE='' kernels='' \
        sh common/cli/gradebook.sh 01 >"$work/out" 2>&1 || cat "$work/out"
    [ "$(grep -c PASS "$work/out")" -eq 8 ] || cat "$work/out"
    sed -n 's/PASS.*//p' "$work/out" | while IFS= read -r begin; do
        columns=$(printf '%s' "$begin" | LC_ALL=C.UTF-8 wc -L)
        [ "$columns" -eq 33 ] || echo "$begin: $columns columns"
    done
}

# The guide's files of points for a part of a chapter: it is worth 100.
parts_are_worth_100()
{
    guide=book/appendix/06-instructors.md
    grep -E '^\| [0-9]{2}(, [a-z]*)? \| [0-9.]+ \| `' $guide |
        tr -d '`|,' >"$work/parts"
    [ "$(grep -c . "$work/parts")" -ge 5 ] || cat "$work/parts"
    sed -E 's/ (first|second) / /' "$work/parts" |
        while read -r number total zeros; do
            kernels=$(. common/cli/lib.sh
                ordered "$(chapter_dir chapter "$number")" |
                    sed 's|.*/||; s|\.[^.]*$||' | paste -sd ' ' -)
            sed "s/^total = .*/total = $total/" common/cli/points >"$work/part"
            for kernel in $zeros; do echo "$kernel = 0"; done >>"$work/part"
            awk -f common/cli/settings.awk -v kernels="$kernels" -v \
                known='PASS SLOW TECHNIQUE REFUSED BUILD' "$work/part"
            awk -f common/cli/points.awk -v kernels="$kernels" "$work/part" \
                /dev/null | grep -q '^sum	0.0	100.0$' ||
                echo "chapter $number is not worth 100"
        done
}

facts() # VERDICT PASSED GATE SPEEDUP: of a kernel k with 100 cases
{
    printf 'kernels/k/%s\n' "verdict	$1" "runs/1/correct/planned	100" \
        "runs/1/correct/passed	$2" "runs/1/gates/g/value	$3" \
        "runs/1/gates/g/limit	2" "predicted/speedup	$4" \
        "runs/1/gates/g/ok	$(awk -v g="$3" 'BEGIN {
            print g != "" && g <= 2 ? "true" : "false" }')"
}

earns() # EXPECTED VERDICT PASSED GATE SPEEDUP; the starter is $work/starter
{
    is=$1
    shift
    facts "$@" >"$work/facts"
    got=$(awk -f common/cli/points.awk -v kernels=k -v starter="$work/starter" \
        common/cli/points "$work/facts" | awk '$1 == "kernel" { print $3, $4 }')
    [ "$got" = "$is" ] || echo "$*: $got, not $is"
}

# Only what a kernel does better than its starter is the student's.
better_than_starter()
{
    facts TECHNIQUE 100 8 1 >"$work/starter"
    earns 'NO_BETTER 0.0' TECHNIQUE 100 8 1
    earns 'NO_BETTER 0.0' TECHNIQUE 100 7.9 1
    earns 'NO_BETTER 0.0' TECHNIQUE 100 9 1
    earns 'NO_BETTER 0.0' WRONG 99 8 1
    earns 'NO_BETTER 0.0' CRASH 60 '' ''
    earns 'TECHNIQUE 40.0' TECHNIQUE 100 7 1.05
    earns 'TECHNIQUE 40.0' TECHNIQUE 100 5.42 2
    earns 'NO_BETTER 0.0' TECHNIQUE 100 5.42 1.04
    earns 'NO_BETTER 0.0' TECHNIQUE 100 5.42 0.7
    earns 'NO_BETTER 0.0' TECHNIQUE 100 5.42 ''
    earns 'NO_BETTER 0.0' WRONG 99 5.42 ''
    earns 'WRONG 20.0' WRONG 50 2 2
    earns 'SLOW 40.0' SLOW 100 2 1
    earns 'SLOW 80.0' SLOW 100 2 1.05
    earns 'PASS 100.0' PASS 100 8 1
    facts WRONG 0 '' '' >"$work/starter"
    earns 'WRONG 4.0' WRONG 10 '' ''
    earns 'CRASH 0.0' CRASH 0 '' ''
    earns 'TECHNIQUE 40.0' TECHNIQUE 100 8 1
    facts SLOW 100 2 1.0 >"$work/starter"
    earns 'NO_BETTER 0.0' SLOW 100 2 1.05
    earns 'SLOW 80.0' SLOW 100 2 1.2
    : >"$work/starter" # none was checked
    earns 'TECHNIQUE 40.0' TECHNIQUE 100 8 1
}

# Where a number has a comma, awk would read 2.5 as 2.
language_counts_nothing()
{
    # shellcheck disable=SC2016 # the inner shell's
    LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 \
        sh -c '. common/cli/lib.sh; echo "$LC_ALL"' | grep -vx C.UTF-8
}

make_class
interrupt
quiet "killed, then stopped: each student has a row" interrupted
quiet "taken up again, and what was graded stays" taken_up
quiet "every verdict and all points as expected" rows_are
quiet "lone folders and files are rows with a reason" lone_ones_have_reasons
quiet "what was not read, unpacked or handed in is named" unread_are_named
quiet "what systems leave in FROM is named, and has no row" strays_are_named
quiet "a file under another name is named, and its right name" \
    names_are_put_right
quiet "what the simulated GPU does not know leaves one kernel open" \
    unknown_ones_are_open
quiet "nothing is graded twice, what has changed is" nothing_twice
quiet "feedback of a hand-in that is gone is put aside" gone_are_aside
quiet "what was not looked at again is open" stale_rows_are_open
quiet "a list that could not be read puts no feedback aside" \
    half_a_list_is_none
quiet "what a check depends on is in its key" all_is_in_the_key
quiet "other points need no other check" other_points
quiet "a pipe ends with the command" pipes_end
quiet "the same with eight jobs" jobs_do_not_matter
quiet "feedback shows no seed, path, code or page of theirs" feedback_is_clean
quiet "feedback names no later lesson, as a learner's report does" \
    no_later_lesson
quiet "cases run and left out are those planned" counts_add_up
quiet "hand-ins that are alike are paired" similar_are_paired
quiet "this machine's fault is not the student's" machines_fault
quiet "what failed for the machine's sake is tried again" tried_again
quiet "who was killed is tried again, and the others go on" \
    the_killed_are_tried_again
quiet "a program that is killed costs no points, and earns none" \
    half_said_is_nothing
quiet "the machine's word on its own fault is taken" owners_are_believed
quiet "a limit of time is held against nobody on a busy machine" at_the_limit
quiet "a machine is quiet if it was all the time, and ran" \
    quiet_is_all_the_time
quiet "what a power cut shortened is made again" power_cut
quiet "what a power cut emptied is made again" emptied
quiet "what is put in place is on the disk" all_is_synced
quiet "a full disk is not the student's fault, and is said" full_disk
quiet "a file that becomes a link is not followed" swapped
quiet "starters are known, renamed or not; solutions are none" \
    starters_are_known
quiet "a starter's own merit is not the student's" better_than_starter
quiet "what two share is found without names" pairs_by_winnowing
quiet "code that hides from a reader is paired" hidden_code_is_found
quiet "no text is too much to be read" limits_hold
quiet "what cannot be read is named, and others compared" \
    unreadable_are_named
quiet "the table is printed, with a list of similar ones or not" \
    table_is_printed
quiet "a table that is not whole is not written" no_row_is_lost
if [ "$(id -u)" -eq 0 ]; then
    quiet "another user grades with a checkout that is read only" another_user
else
    skip "another user grades" "only root can become another user"
fi
quiet "names of any letters leave the table straight" columns_are_straight
quiet "slips in the file of points are refused" slips_are_refused
quiet "a total that is not the kernels' sum is said" total_is_said
quiet "a part of a chapter is worth 100 as the guide says" parts_are_worth_100
quiet "a mark of UTF-8 before the points costs none" mark_before_points
quiet "points are counted alike in any language" language_counts_nothing
quiet "a day late begins after the deadline's minute" days_begin
quiet "a time without a zone is read again in another" zones_count
quiet "the zone is the grader's, wherever it runs" zone_is_fixed
quiet "a zone that cannot be copied is not taken for UTC" zone_is_whole
quiet "a time's offset is no second, and may be west" offsets_are_read
quiet "a date in another form is said to be none" names_are_read
quiet "the last hand-in counts, also if it is open" open_ones_count
quiet "a kernel that a person decides on is named beside a better hand-in" \
    open_kernels_stay_in_sight
quiet "a folder that is not there" refuses /nowhere 'no such folder'
quiet "no folder at all" refuses '' 'FROM=students/'
quiet "grades among the hand-ins" refuses "$class" 'taken for a' \
    TO="$class/grades"
quiet "jobs that are no number" refuses "$class" 'JOBS=x' JOBS=x
quiet "a seed that is none" refuses "$class" 'SEED=abc' SEED=abc
quiet "a device that is none" refuses "$class" 'DEVICE=simu: sim, gpu or auto' \
    DEVICE=simu
echo 05 >"$grades/.class/chapter"
quiet "another chapter's grades" refuses "$class" 'grades of chapter 05' \
    TO="$grades"
plan
