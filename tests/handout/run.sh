#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests `make handout` as TAP: what students start from holds no answer. What a
# student does with it on a bare system is tests/handout/bare.sh.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
given=$work/given
solved=$PWD/solutions/01-vector-add
LAST=05
LEAST=50 # characters; shorter holes say what anybody would write

# Each hole of FILE as a line: its name, a tab, its code without comments and
# blanks.
holes_in() # FILE
{
    awk -v mode=inside -f common/cli/holes.awk "$1" |
        LC_ALL=C awk -F '\t' '
            !($1 in code) { name[++n] = $1 }
            {
                line = $0
                sub(/^[^\t]*\t/, "", line)
                sub(/\/\/.*/, "", line)
                gsub(/[ \t\r]/, "", line)
                code[$1] = code[$1] line
            }
            END { for (i = 1; i <= n; i++) print name[i] "\t" code[name[i]] }'
}

# Each hole of each solution: its chapter, its file, a line of code. What stays
# as it was in the starter answers nothing.
holes_of_solutions()
{
    for file in solutions/[0-9][0-9]-*/*.c*; do
        number=${file#solutions/}
        {
            [ ! -f "chapters/$number" ] ||
                holes_in "chapters/$number" | sed 's/^/given	/'
            holes_in "$file"
        } | awk -F '\t' -v least=$LEAST -v begin="${number%%-*}	$file" '
            $1 == "given" && NF == 3 { given[$2] = $3; next }
            length($2) >= least && $2 != given[$1] { print begin "\t" $2 }'
    done
}

# Every file of the hand-out as a line: `starter` or `other`, its name, what is
# in it without comments and blanks. The chapters' own code may answer the stage
# before it.
files_given()
{
    (cd "$given" && find . -type f ! -name '*.so' -print0 |
        LC_ALL=C xargs -0 awk '
            FNR == 1 {
                is_starter = FILENAME ~ /^[.]\/chapters\/.*[.]cu?$/
                printf "%s%s\t%s\t", (NR > 1 ? "\n" : ""),
                    (is_starter ? "starter" : "other"), FILENAME
            }
            { sub(/\/\/.*/, ""); gsub(/[ \t\r]/, ""); printf "%s", $0 }
            END { print "" }')
}

answers_given()
{
    files_given >"$work/files"
    awk -F '\t' -v last=$LAST '
        FNR == NR { kind[NR] = $1; name[NR] = $2; text[NR] = $3; n = NR; next }
        {
            for (i = 1; i <= n; i++)
                if ((kind[i] == "other" || $1 >= last) && index(text[i], $3))
                    print name[i] " answers a hole of " $2
        }' "$work/files" "$work/holes"
}

no_answer()
{
    [ "$(wc -l <"$work/holes")" -gt 40 ] ||
        echo "only $(wc -l <"$work/holes") holes to look for"
    answers_given
}

# An answer in a lesson, or in another starter, would be found.
answer_is_seen()
{
    cat solutions/02-*/timer.c >>"$given/README.md"
    cat solutions/05-*/forward.cu >>"$given/chapters/04-dwconv-naive/forward.cu"
    answers_given | sed 's/ answers.*//' | sort -u | paste -sd ' ' - |
        grep -v '^./README.md ./chapters/04-dwconv-naive/forward.cu$'
}

what_is_given()
{
    for gone in solutions tests/run.sh tests/mutants book/index.md .git \
        chapters/06-dwconv-shared; do
        [ ! -e "$given/$gone" ] || echo "$gone is in it"
    done
    grep -l '^page *=' "$given"/chapters/*/chapter.conf
    for there in build/stage/solution/04/forward.so Makefile LICENSE \
        chapters/05-dwconv-coalesced/forward.cu; do
        [ -f "$given/$there" ] || echo "$there is not in it"
    done
    for stage in "$given"/build/stage/solution/*/*.so; do
        grep -q 'Used [0-9]* registers' "${stage%.so}.log" ||
            echo "$stage lies there without its registers"
    done
    grep -q 'check-chapter 5 SEED=7' "$given/README.md" ||
        echo "no README of its own"
    case $PWD in # a short path may stand in a text by chance
    /*/*) grep -rlI "$PWD" "$given" ;;
    esac
}

# Its README is about its last chapter. `make help` names what works there: no
# command asks for solutions, tests or the book.
speaks_of_itself()
{
    grep -n -e 'chapter 1' -e 'hint 1' -e 'chapters/01' -e timer.c \
        "$given/README.md"
    for words in 'make check-chapter 5$' 'make hint 5$' 'chapters/05-\*' \
        '^    forward.cu input_grad.cu weight_grad.cu$'; do
        grep -q "$words" "$given/README.md" || echo "README lacks $words"
    done
    help=$given/common/cli/help.txt
    grep -nE 'solution|the book|tests|hand-ins|chapter 2|chapters/0[^5]' "$help"
    awk '$1 == "make" { print $2 ($3 ~ /^[0-9]+$/ ? " " $3 : "") }' "$help" |
        paste -sd , - | grep -vx "list,next,check-chapter 5,run 5,watch 5,$(
        )predict 5,start 5,hint 5,analyze 5,roofline 5,trace 5,lines 5,$(
        )reset 5,doctor,clean"
    grep -q '^Options' "$help" || echo "no options"
    (cd "$given" && make -s help 2>&1) | cmp - "$help"
}

# `make start` carries the student's own step on, without any solution there.
started()
{
    mkdir -p "$work/checked/bin"
    printf '#!/bin/sh\n' >"$work/checked/bin/check" # all kernels pass
    chmod +x "$work/checked/bin/check"
    (
        cd "$given" || exit
        export BUILD="$work/checked"
        sh common/cli/list.sh list >/dev/null # the first command of all
        sed -i '/> todo kernel/a // mine' chapters/04-dwconv-naive/forward.cu
        sh common/cli/start.sh start 05 2>&1 |
            grep -q 'forward.cu now holds your 04-dwconv-naive/forward.cu' ||
            echo "the next step was not started"
        grep -qx '// mine' chapters/05-dwconv-coalesced/forward.cu ||
            echo "it does not hold the student's kernel"
        rm -rf .progress
    )
}

# Pages lead nowhere that is not in it: links, and files of tests/ or book/ that
# the lessons and their appendices name.
dead_links()
{
    (cd "$given" && find . -name '*.md' | while read -r page; do
        {
            grep -o '](\(\.\./\)*[A-Za-z0-9][^):#]*[)#]' "$page" |
                sed "s|^](|${page%/*}/|; s|.$||"
            case $page in ./chapters/* | ./book/*)
                grep -oE '(^|[` ])(tests|book)/[A-Za-z0-9./-]*[a-z0-9]' \
                    "$page" | tr -d '` ' ;;
            esac
        } | while read -r file; do
            [ -e "$file" ] || echo "$page: $file is not in it"
        done
    done)
}

no_dead_link()
{
    [ -f "$given/book/pictures/01-grid.svg" ] || echo "no pictures"
    dead_links
}

# No lesson of any chapter links to a later one, which may not be handed out.
no_link_ahead()
{
    for page in chapters/*/README.md; do
        grep -o '](\.\./[0-9][0-9]-' "$page" | tr -dc '0-9\n' |
            while read -r number; do
                own=${page#chapters/}
                [ "$number" -le "${own%%-*}" ] ||
                    echo "$page links to chapter $number"
            done
    done
}

# The commands that draw need the hand-out's own book/ alone; the programs are
# those at hand.
draws() # COMMAND WORDS
{
    build=$work/build
    mkdir -p "$build"
    for part in bin simgpu harness; do
        ln -sfn "$(cd "$BUILD" && pwd)/$part" "$build/$part"
    done
    (cd "$given" && BUILD=$build SRC=$solved DEVICE=sim SEED=1 GPU='' \
        sh common/cli/analyze.sh "$1" 01) >"$work/out" 2>&1 ||
        echo "exit code $?"
    rm -rf "$given/.progress"
    if ! grep -q "$2" "$work/out" || ! grep -q "^open .*svg" "$work/out"; then
        cat "$work/out"
    fi
}

# Whoever changed a starter and committed that hands out the new one, not what
# was kept of the old.
as_committed()
{
    starter=chapters/05-dwconv-coalesced/forward.cu
    copy=$work/copy
    git clone -q . "$copy" 2>"$work/out" || cat "$work/out"
    cp common/cli/*.sh "$copy/common/cli/"
    git -C "$copy" config user.email "$(git log -1 --format=%ae -- $starter)"
    mkdir -p "$copy/.progress/pristine/05-dwconv-coalesced"
    echo stale >"$copy/.progress/pristine/${starter#chapters/}"
    (cd "$copy" && TO=$work/new sh common/cli/handout.sh handout $LAST) \
        >"$work/out" 2>&1 || cat "$work/out"
    git show HEAD:$starter | cmp - "$work/new/$starter"
    rm -rf "$copy" "$work/new"
}

nothing_overwritten()
{
    TO=$given sh common/cli/handout.sh handout $LAST >"$work/out" 2>&1 &&
        echo "over what is there"
    grep -q 'is there already' "$work/out" || cat "$work/out"
}

# What could not be made can be made again under the same name.
nothing_half()
{
    BUILD=$work/nowhere TO=$work/half sh common/cli/handout.sh handout $LAST \
        >"$work/out" 2>&1 && echo "exit code 0"
    grep -q 'could not be built' "$work/out" || cat "$work/out"
    ls -d "$work"/half* 2>/dev/null
}

holes_of_solutions >"$work/holes"
TO=$given sh common/cli/handout.sh handout $LAST >"$work/out" 2>&1 ||
    cat "$work/out"
quiet "what it holds, and what not" what_is_given
if git rev-parse HEAD >/dev/null 2>&1; then
    quiet "starters are as committed" as_committed
else
    skip "starters are as committed" "no git here"
fi
quiet "its README and make help speak of what it has" speaks_of_itself
quiet "no hole of any solution is answered" no_answer
quiet "nothing is overwritten" nothing_overwritten
quiet "nothing is left of what failed" nothing_half
quiet "make start goes on from the student's own step" started
quiet "its pages lead to what is there" no_dead_link
quiet "no lesson leads to a later one" no_link_ahead
if command -v gnuplot >/dev/null; then
    quiet "make analyze draws" draws analyze 'Ceilings of the NVIDIA H200\.'
    quiet "make roofline draws" draws roofline 'open '
else
    skip "make analyze and make roofline draw" "no gnuplot"
fi
quiet "an answer would be found" answer_is_seen
plan
