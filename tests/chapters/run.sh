#!/bin/sh
# SPDX-License-Identifier: MIT
# What the workbook promises of every chapter, as TAP: starter and solution
# differ in holes alone, a hole starts as the previous solution's or, if that
# has none of this name, as some of its given code; the starter gets its
# intended verdict and the solution PASS, each with a valid report.
#
# A starter's intended verdict: TECHNIQUE where its holes hold the previous
# stage's code, else WRONG (an empty hole). Another one stands in expected/NN.
#
# Starters run with SEED=1, and the samples of reports in the README and the
# book are these runs' (quoted.awk):
#
#   sh tests/chapters/run.sh write    puts them into the pages
#
# A lesson's bug to find is a kernel of chapters/NN-slug/exercise/, or a change
# to a solution; exercises/NN.diff says what check must say of it and what mends
# it (exercise.sh).
#
# What the simulated GPU counts for the solutions stands in counters/RELEASE/, a
# file per chapter (counters.sh, recorded.sh), for each release of CUDA that it
# was recorded with:
#
#   sh tests/chapters/run.sh record   writes them for the toolkit at hand
#
# Whoever writes one chapter names it, and nothing else is run or rewritten:
#
#   sh tests/chapters/run.sh 25           checks chapter 25
#   sh tests/chapters/run.sh record 25    writes its counters
cd "$(dirname "$0")/../.." || exit 1
. common/cli/lib.sh
. tests/tap.sh
. tests/arch.sh
BUILD=${BUILD:-build}
rm -rf "$BUILD/known" # every stage is run, whatever an earlier run found
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

asked= # chapters, as NN; none: all
for word; do
    case $word in
    [0-9][0-9]) asked="${asked:+$asked }$word" ;;
    write | record) continue ;;
    *) echo "chapters are named by two digits, unlike $word" >&2 && exit 2 ;;
    esac
    ls -d chapters/"$word"-* >/dev/null || exit 2
done

folders() # of the chapters asked for
{
    for dir in chapters/[0-9][0-9]-*/; do
        name=${dir#chapters/}
        case " $asked " in
        "  " | *" ${name%%-*} "*) echo "$dir" ;;
        esac
    done
}

hole_names()
{
    holes list "$1" | cut -f 2
}

hole() # NAME FILE
{
    holes inside "$2" | awk -F '\t' -v name="$1" '$1 == name'
}

same_outside() # STARTER SOLUTION
{
    holes outside "$1" >"$work/a"
    holes outside "$2" >"$work/b"
    diff "$work/a" "$work/b"
    [ -n "$(hole_names "$1")" ] || echo "$1 has no hole"
    for word in '> todo' '< todo'; do grep -c "//$word" "$1"; done |
        uniq | tail -n +2 | sed 's/.*/the markers do not pair up/'
}

# Succeeds if a hole's lines stand in FILE outside of its holes, one after
# another.
given_in() # HOLE-FILE FILE
{
    holes outside "$2" >"$work/outside"
    cut -f 2- "$1" | awk '
        FNR == NR { given = given "\n" $0; next }
        { hole = hole "\n" $0 }
        END { exit index(given "\n", hole "\n") == 0 }' "$work/outside" -
}

chained() # STARTER PREVIOUS-SOLUTION
{
    for name in $(hole_names "$1"); do
        hole "$name" "$1" >"$work/a"
        hole "$name" "$2" >"$work/b"
        if cmp -s "$work/a" "$work/b" ||
            { [ ! -s "$work/b" ] && given_in "$work/a" "$2"; }; then
            continue
        fi
        echo "hole $name of $1 is not $2's"
        diff "$work/b" "$work/a"
    done
}

# A hole that starts as given code is accepted, a changed one is not.
a_broken_chain_is_seen()
{
    starter=chapters/08-dwconv-weight-grad/registers.cu
    before=solutions/08-dwconv-weight-grad/shuffle.cu
    sed 's/ADDERS = 256/ADDERS = 255/' "$starter" >"$work/changed.cu"
    chained "$work/changed.cu" "$before" | grep -q '^hole plan of .* is not' ||
        echo "a hole that is no given code went unseen"
    chained "$starter" "$before"
}

configured() # DIR: its conf, lesson and hints
{
    for key in title kind arch; do
        [ -n "$(chapter_conf "$1" $key)" ] || echo "chapter.conf has no $key"
    done
    grep -qx 'include ../inside.mk' "$1/Makefile" ||
        echo "Makefile does not include ../inside.mk"
    [ -s "$1/README.md" ] || echo "README.md is missing"
    grep -q '^## Hint 1' "$1/hints.md" || echo "hints.md has no ## Hint 1"
    for source in $(kernels "$1"); do
        name=$(basename "${source%.*}")
        [ -n "$(chapter_conf "$1" op "$name")" ] ||
            echo "$source has no section in chapter.conf"
    done
}

expected() # DIR NN
{
    if [ -f "tests/chapters/expected/$2" ]; then
        cat "tests/chapters/expected/$2"
    elif [ -n "$(chapter_conf "$1" previous)" ]; then
        echo TECHNIQUE
    else
        echo WRONG
    fi
}

is_quoted() # NN: whether a page shows the report on the starter
{
    # shellcheck disable=SC2046 # paths have no blanks
    grep -q "^<!-- report: [a-z]* ${1#0} -->" $(pages)
}

# KIND NN: its report in $work, JSON too; starters at one seed. The predicted
# time of a starter that misses a gate changes nothing but a quoted report.
# Solutions are compiled as learners' files are; starters, which differ from
# them in holes, by lean.
check()
(
    [ "$1" = solution ] || . tests/nvcc.sh
    brief=
    [ "$1" = solution ] || is_quoted "$2" || brief=--brief
    [ "$1" = solution ] && set -- "$1" "$2" "$(od -An -N4 -tu4 /dev/urandom)"
    "$BUILD/bin/check" "$1" "${2#0}" --device sim --build "$BUILD" --root . \
        --seed "$((${3:-1}))" --json "$work/$1-$2.json" $brief \
        >"$work/report" 2>&1 </dev/null
)

checked() # KIND NN VERDICT
{
    json=$work/$1-$2.json
    check "$1" "$2"
    code=$?
    cp "$work/report" "$work/$1-${2#0}"
    "$BUILD/bin/check" --facts "$json" 2>/dev/null |
        grep -qx "verdict	$3" || echo "not $3"
    case $3 in
    PASS) [ $code -eq 0 ] || echo "exit code $code" ;;
    *) [ $code -ge 10 ] || echo "exit code $code" ;;
    esac
}

# All in one process; which of them is wrong is said by each alone.
reports_are_valid() # REPORT...
{
    schema=checker/report.schema.json
    n=$#
    for report; do set -- "$@" -i "$report"; done
    shift "$n"
    jsonschema "$@" $schema >"$work/said" 2>&1 && return
    while [ $# -gt 0 ]; do
        jsonschema -i "$2" $schema >/dev/null 2>&1 || echo "$2 is not valid"
        shift 2
    done
    head -n 20 "$work/said"
}

a_wrong_report_is_seen()
{
    set -- "$work"/solution-*.json
    sed 's/"verdict": *"PASS"/"verdict": "FINE"/' "$1" >"$work/wrong.json"
    reports_are_valid "$1" "$work/wrong.json" >"$work/a"
    [ "$(grep -c ' is not valid$' "$work/a")" -eq 1 ] &&
        grep -qx "$work/wrong.json is not valid" "$work/a" || cat "$work/a"
}

verdict_is() # KIND NN VERDICT
{
    checked "$@" >"$work/found"
    [ ! -s "$work/found" ] || cat "$work/found" "$work/report"
}

pages()
{
    grep -l '^<!-- report: ' README.md book/front/*.md
}

quoted() # PAGE: as it should be
{
    awk -v reports="$work" -f tests/chapters/quoted.awk "$1"
}

# Another toolkit may count a little otherwise: there the words must agree, but
# for those of the model, which say what is most of a predicted time.
words_alone() # FILE
{
    awk '/^    [a-z]/ { model = $1 == "model" } !model' "$1" |
        sed 's/[0-9][0-9.e+]*/N/g' >"$work/words"
    cp "$work/words" "$1"
}

as_quoted() # PAGE
{
    toolkit=$(sed -n 's/^On the simul.*, \(CUDA .*\.\)$/\1/p' "$work/report")
    quoted "$1" >"$work/b"
    cp "$1" "$work/a"
    grep -qF "$toolkit" "$1" || {
        words_alone "$work/a"
        words_alone "$work/b"
    }
    diff "$work/a" "$work/b"
}

# The release in the folder's name: 13.0 of 13.0.88.
recorded()
{
    release=$("$(sh common/cli/find-cuda.sh)/bin/nvcc" --version |
        sed -n 's/.*release \([0-9.]*\).*/\1/p')
    echo "tests/chapters/counters/$release"
}

counted() # of the solutions checked above
{
    sh tests/chapters/counters.sh "$work"/solution-*.json >"$work/counted" ||
        return
    # shellcheck disable=SC2046 # numbers have no blanks
    sh tests/chapters/recorded.sh differ "$(recorded)" "$work/counted" \
        $(folders | sed 's|chapters/||; s|-.*||')
}

sample() # KERNEL VALUE: two counters of a kernel of chapter 15
{
    printf '15\t%s\tverdict\tPASS\n15\t%s\tflops\t%s\n' "$1" "$1" "$2"
}

# Another set of a kernel's counters is accepted whole, and where it is named.
sets_are_told_apart()
{
    mkdir -p "$work/sets"
    { sample one 1; sample two 2; } >"$work/sets/15.tsv"
    sample two 3 >"$work/sets/15.two.tsv"
    differ="sh tests/chapters/recorded.sh differ $work/sets"
    { sample one 1; sample two 3; } >"$work/a"
    $differ "$work/a" 15 2>"$work/said" || echo "the other set is refused"
    grep -q '15.two.tsv: 15 two$' "$work/said" || echo "and is not named"
    { sample one 1; sample two 4; } >"$work/a"
    $differ "$work/a" 15 >/dev/null && echo "a third count is accepted"
    { sample one 3; sample two 2; } >"$work/a"
    $differ "$work/a" 15 >/dev/null && echo "another kernel's set is accepted"
    { sample one 5; sample two 3; } >"$work/a"
    sh tests/chapters/recorded.sh write "$work/sets" "$work/a"
    { sample one 5; sample two 2; } | diff "$work/sets/15.tsv" - ||
        echo "the first set was not kept"
    sample two 4 >"$work/a"
    sh tests/chapters/recorded.sh write "$work/sets" "$work/a" 2>/dev/null &&
        echo "a third set was recorded beside two"
}

if [ "${1-}" = record ]; then
    for dir in $(folders); do
        number=${dir#chapters/}
        number=${number%%-*}
        [ -n "$(too_new "$number")" ] || check solution "$number" || {
            cat "$work/report"
            exit 1
        }
    done
    sh tests/chapters/counters.sh "$work"/solution-*.json >"$work/counted" ||
        exit
    sh tests/chapters/recorded.sh write "$(recorded)" "$work/counted"
    exit
fi
if [ "${1-}" = write ]; then
    pages | while read -r page; do
        for n in $(awk '/^<!-- report: / { print $4 }' "$page"); do
            check chapter "$n"
            cp "$work/report" "$work/chapter-$n"
        done
        quoted "$page" >"$work/page" && cat "$work/page" >"$page"
    done
    exit
fi

exercise()
{
    sh tests/chapters/exercise.sh "$1"
}

# An answer that says too much must be seen: the kernel is wrong, not PASS, and
# what was mended in vain stays wrong.
exercises_can_fail()
{
    answer=tests/chapters/exercises/01.diff
    sed 's/^verdict: .*/verdict: PASS/' "$answer" >"$work/a"
    exercise "$work/a" | grep -q 'the wrong kernel is not PASS' ||
        echo "a wrong verdict went unseen"
    sed 's/^+ .*if (i < n).*/+ if (i <= n)/' "$answer" >"$work/a"
    cmp -s "$answer" "$work/a" && echo "the answer was not changed"
    exercise "$work/a" | grep -q 'the mended kernel is not PASS' ||
        echo "an answer that mends nothing went unseen"
}

# The parts of a lesson that each chapter has.
parts_of() # README
{
    for part in 'Find the bug' 'To go on'; do
        grep -qx "## $part" "$1" || echo "$1 has no part $part"
    done
    awk '/^## / { on = $0 == "## To go on" }
        on && /^<details>/ { folded++ }
        on { text = text " " $0 }
        END {
            if (folded < 2) print FILENAME ": fewer than two variations"
            if (text !~ /No +answer +here/) print FILENAME ": no harder one"
        }' "$1"
}

for dir in $(folders); do
    number=${dir#chapters/}
    answer=tests/chapters/exercises/${number%%-*}.diff
    [ -f "$answer" ] || continue
    name="$(basename "$answer" .diff): the bug to find, and its answer"
    reason=$(too_new "$(basename "$answer" .diff)")
    if [ -n "$reason" ]; then
        skip "$name" "$reason"
    else
        quiet "$name" exercise "$answer"
    fi
done
if [ -z "$asked" ]; then
    quiet "an answer that does not hold is seen" exercises_can_fail
    quiet "a hole that starts as nothing before it is seen" \
        a_broken_chain_is_seen
fi
for lesson in $(folders | sed 's/$/README.md/'); do
    quiet "$lesson: a bug to find, two variations, a harder one" \
        parts_of "$lesson"
done
for dir in $(folders); do
    dir=${dir%/}
    slug=${dir#chapters/}
    number=${slug%%-*}
    solution=solutions/$slug

    quiet "$slug: configuration, lesson and hints" configured "$dir"
    for starter in $(kernels "$dir"); do
        name=$(basename "$starter")
        quiet "$slug/$name: equals its solution outside the holes" \
            same_outside "$starter" "$solution/$name"
        before=$(solution_before "$dir" "$name")
        [ -z "$before" ] ||
            quiet "$slug/$name: its holes hold the previous solution" \
                chained "$starter" "$before"
    done
    why=$(too_new "$number")
    if [ -n "$why" ]; then
        skip "$slug: the starter and the solution" "$why"
        continue
    fi
    word=$(expected "$dir" "$number")
    quiet "$slug: the starter is $word" verdict_is chapter "$number" "$word"
    quiet "$slug: the solution is PASS" verdict_is solution "$number" PASS
done
quiet "all these reports are valid" reports_are_valid "$work"/*-*.json
quiet "one that is not is seen" a_wrong_report_is_seen
[ -n "$asked" ] ||
    quiet "one of two recorded sets of counters, and no third" \
        sets_are_told_apart
if [ -d "$(recorded)" ]; then
    quiet "the solutions' counters are the recorded ones" counted
else
    skip "the solutions' counters are the recorded ones" \
        "none for this toolkit: $(recorded)"
fi
[ -n "$asked" ] || for page in $(pages); do
    quiet "$page: its reports are what check says" as_quoted "$page"
done
plan
