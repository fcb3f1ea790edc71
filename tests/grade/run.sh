#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests `make grade` and `make handout`, as TAP: a class with a student of each
# kind, ended midway and taken up again; and that a hand-out holds no answer.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
export BUILD
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
class=$work/class
solution=solutions/01-vector-add

if ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo "1..0 # SKIP no namespaces here, so nothing is graded"
    exit
fi

student() # NAME: its add.cu is standard input
{
    mkdir -p "$class/$1"
    cat >"$class/$1/add.cu"
}

make_class()
{
    student right <$solution/add.cu
    cp $solution/program.cu "$class/right"
    student "O'Neil, \"Zoë\"" <$solution/add.cu
    sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' $solution/add.cu | student wrong
    student untouched <chapters/01-vector-add/add.cu
    sed 's|^{|{   // mine\n|' chapters/01-vector-add/add.cu | student touched-up
    echo '#include "../../solutions/01-vector-add/add.cu"' | student thief
    { echo '#include "/etc/passwd"'; cat $solution/add.cu; } | student spy
    { printf '#error "\033[31mred <b>\n'; cat $solution/add.cu; } |
        student painter
    mkdir "$class/linked" "$class/nothing"
    ln -s "$PWD/$solution/add.cu" "$class/linked/add.cu"
    echo text >"$class/a-file"
    head -c 2000000 /dev/zero | tr '\0' ' ' | student huge
}

grade()
{
    FROM=$class TO=$work/grades SEED=11 JOBS=2 DEVICE=sim \
        sh common/cli/grade.sh grade 01 >"$work/out" 2>"$work/err"
}

# Columns 2 to 4 of a student's row: verdict, points, the kernel's verdict.
row() # NAME
{
    grep "^\"\{0,1\}$1" "$work/grades/gradebook.csv" | head -n 1 |
        sed 's/^"[^,]*\(""[^"]*\)*",\|^[^,]*,//' | cut -d , -f 1-3
}

rows_are()
{
    while read -r name expected; do
        got=$(row "$name")
        [ "$got" = "$expected" ] || echo "$name: $got, not $expected"
    done <<END
right PASS,100.0,PASS
wrong WRONG,0.2,WRONG
untouched WRONG,0.0,UNTOUCHED
touched-up WRONG,0.0,UNTOUCHED
thief BUILD,0.0,BUILD
spy BUILD,0.0,BUILD
painter BUILD,0.0,BUILD
linked REFUSED,0.0,BUILD
nothing BUILD,0.0,BUILD
a-file REFUSED,0.0,BUILD
huge REFUSED,0.0,BUILD
END
    grep -q "^\"O'Neil, \"\"Zoë\"\"\",BUILD,50.0,PASS,50.0,BUILD" \
        "$work/grades/gradebook.csv" || echo "no row of O'Neil"
    lines=$(wc -l <"$work/grades/gradebook.csv")
    [ "$lines" -eq 13 ] || echo "$lines lines, not 13"
}

# Ended while it is at work: rows for all, nothing left running.
ended()
{
    # In a session of its own, as a terminal's Ctrl-C would reach it.
    FROM=$class TO=$work/grades SEED=11 JOBS=2 DEVICE=sim \
        setsid sh common/cli/grade.sh grade 01 >"$work/out" 2>&1 &
    for _ in $(seq 600); do
        [ -z "$(find "$work/grades" -name result 2>/dev/null)" ] || break
        sleep 0.1
    done
    kill -INT -- -$! 2>/dev/null || kill -TERM $!
    wait $!
    code=$?
    [ "$code" -eq 130 ] || echo "exit code $code"
    sleep 1
    ! pgrep -f "bwrap.*$work" || echo "a sandbox is left"
    [ "$(wc -l <"$work/grades/gradebook.csv")" -eq 13 ] || {
        echo "not a row for each"
        cat "$work/grades/gradebook.csv"
    }
    grep -q 'UNGRADED.*ended before' "$work/grades/gradebook.csv" ||
        echo "nobody is named as not graded yet"
}

taken_up()
{
    find "$work/grades" -name result -exec sha256sum {} + >"$work/before"
    grade || { echo "exit code $?"; cat "$work/err"; }
    sha256sum --quiet -c "$work/before" 2>&1
    rows_are
}

nothing_twice()
{
    touch "$work/mark"
    grade || echo "exit code $?"
    find "$work/grades" -name result -newer "$work/mark"
    echo >>"$class/wrong/add.cu"
    grade || echo "exit code $?"
    again=$(find "$work/grades" -name result -newer "$work/mark")
    [ "$again" = "$work/grades/wrong/result" ] || echo "graded again: $again"
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
    mv "$work/grades/right/result" "$work/kept"
    (PATH=$work/bin:$PATH && grade) && echo "exit code 0"
    case $(row right) in UNGRADED,,*) ;; *) row right ;; esac
    grep -q 'exit code 2: check: no memory' "$work/grades/gradebook.csv" ||
        echo "no reason"
    grep -q 'The same command tries them again' "$work/err" || cat "$work/err"
    grade || echo "exit code $?"
    [ "$(row right)" = PASS,100.0,PASS ] || row right
}

feedback_is_clean()
{
    cat "$work"/grades/*/feedback.txt >"$work/all"
    grep -n -e "$work" -e '/handin' -e '/workbook' -e 'Seed' -e 'SEED=[0-9]' \
        -e "$PWD" "$work/all"
    ! grep -q "$(printf '\033')" "$work/all" || echo "an escape code"
    grep -q '50.0 of 50.0 points' "$work/all" || echo "no points"
}

refuses()
{
    FROM=$1 TO=$work/other sh common/cli/grade.sh grade 01 >"$work/out" 2>&1
    [ $? -eq 2 ] || echo "exit code not 2"
    grep -q "$2" "$work/out" || cat "$work/out"
}

no_answer_inside()
{
    TO=$work/given sh common/cli/handout.sh handout 05 >"$work/out" 2>&1 ||
        cat "$work/out"
    for gone in solutions tests book chapters/06-dwconv-shared; do
        [ ! -e "$work/given/$gone" ] || echo "$gone is in it"
    done
    for kernel in solutions/05-*/*.cu; do
        own=chapters/${kernel#solutions/}
        grep -vxFf "$own" "$kernel" | sed 's/^ *//' | grep '.\{24\}' |
            while IFS= read -r line; do
                ! grep -rqF -- "$line" "$work/given" ||
                    echo "${kernel##*/}: $line"
            done
    done
    [ -f "$work/given/build/stage/solution/04/forward.so" ] ||
        echo "the stage before is not in it"
    grep -q 'check-chapter 5 SEED=7' "$work/given/README.md" ||
        echo "no README of its own"
    TO=$work/given sh common/cli/handout.sh handout 05 >"$work/out" 2>&1 &&
        echo "over what is there"
}

make_class
quiet "ended midway, each student has a row" ended
quiet "taken up again: every verdict as expected" taken_up
quiet "nothing is graded twice, what has changed is" nothing_twice
quiet "this machine's fault is not the student's" machines_fault
quiet "feedback shows no seed, path or escape code" feedback_is_clean
quiet "a folder that is not there" refuses /nowhere 'no such folder'
quiet "no folder at all" refuses '' 'FROM=students/'
quiet "a hand-out holds no answer of its last chapter" no_answer_inside
plan
