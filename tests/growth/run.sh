#!/bin/sh
# SPDX-License-Identifier: MIT
# The workbook grows by adding files alone, as TAP. In a copy of the tree, what
# stands under tree/ here is added: an operator with bf16 inputs, an fp32 output
# that is read as well, and a scalar; a chapter 98 of two steps; and for a
# chapter 97 the same operator from int8 to int32, and from one fp8 to another.
# No file that is there is touched, and every command, the bench, the book and
# the suites that go through all chapters know them.
#
# Nothing is measured: the GPU, nvidia-smi and the clock are stand-ins where the
# bench needs them (measured.jq).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/nvcc.sh
built=${BUILD:-build}
case $built in /*) ;; *) built=$PWD/$built ;; esac
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset BUILD MAKEFLAGS MFLAGS MAKELEVEL N PEERS PREBUILT DEVICE SRC KERNEL SEED
tree=$work/tree

files() # of the tree: git's list, or all but what is made
{
    git ls-files 2>/dev/null | grep . ||
        find . -type f ! -path './build/*' ! -path './.progress/*'
}

# What is built stays built: the copy's objects are as old as they were here.
copy()
{
    mkdir -p "$tree/build"
    files | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done |
        tar cf - -T - | tar xf - -C "$tree"
    for part in o gen bin harness simgpu vclock; do
        cp -a "$built/$part" "$tree/build/"
    done
}

sums() # of the files that were there before it grew
{
    (cd "$tree" && tr '\n' '\0' <"$work/files" | xargs -0 cksum 2>/dev/null)
}

grows()
{
    (cd tests/growth/tree && find . -type f) | while IFS= read -r file; do
        [ ! -e "$tree/$file" ] || echo "$file is there already"
    done
    files >"$work/files"
    sums >"$work/sums"
    cp -R tests/growth/tree/. "$tree"
}

# suite NAME WORD...: its TAP goes to $work/said.
suite()
{
    name=$1
    shift
    (cd "$tree" && sh "tests/$name/run.sh" "$@" </dev/null) \
        >"$work/said" 2>&1 || {
        echo "the suite $name fails"
        cat "$work/said"
    }
    grep '^not ok' "$work/said"
}

# Chapter 98 has all that CONTRIBUTING asks for; 97 is there for its types.
suites_know_it()
{
    suite steps
    suite steps show
    says '| 98 | `thread` | 9 |' '| 98 | `warp` |'
    suite english
    suite chapters record 98
    suite chapters 98
    says '98: the bug to find, and its answer' \
        '98-growing: the starter is WRONG' '98-growing: the solution is PASS' \
        "the solutions' counters are the recorded ones"
    for hand_in in mutants/growing_half_a_row honest/growing_exchange; do
        (cd "$tree" && sh tests/handins.sh "tests/${hand_in%/*}" sim \
            "${hand_in#*/}") >"$work/said" 2>&1 ||
            cat "$work/said"
    done
}

# What is listed for chapter 98 is really looked at.
suites_see_what_is_missing()
{
    mv "$tree/tests/english/terms/98.tsv" "$work/terms"
    sed 's/The lanes/No lanes/' "$work/terms" \
        >"$tree/tests/english/terms/98.tsv"
    (cd "$tree" && sh tests/english/run.sh) >"$work/said" 2>&1 &&
        echo "the suite passes"
    says '98 does not explain "grown sum"'
    mv "$work/terms" "$tree/tests/english/terms/98.tsv"
}

untouched()
{
    [ "$(wc -l <"$work/sums")" -gt 1000 ] || echo "too few files were looked at"
    sums | diff "$work/sums" -
}

# make WORDS... in the tree: what it says goes to $work/said.
run()
{
    (cd "$tree" && YES=1 make -s "$@" </dev/null) >"$work/said" 2>&1
}

says() # TEXT...: the last run, its spaces made one
{
    tr -s ' \n\t' '   ' <"$work/said" >"$work/squeezed"
    for text; do
        grep -qF -- "$text" "$work/squeezed" || {
            echo "not said: $text"
            cat "$work/said"
        }
    done
}

builds()
{
    run programs || cat "$work/said"
    grep -e 'warning:' -e 'error:' "$work/said"
}

solution_passes()
{
    run check-solution 98 || echo "not PASS"
    says 'thread.cu' 'warp.cu' 'PASS'
}

starter_does_not()
{
    run check-chapter 98 && echo "the starter passes"
    says 'thread.cu WRONG' 'thread.cu:14: the hole "kernel" is empty' \
        'warp.cu TECHNIQUE' 'global_load_sectors_per_request'
}

wrong() # CHAPTER KERNEL SED-SCRIPT: the solution so changed must be WRONG
{
    mkdir -p "$tree/build/wrong"
    cp "$tree"/solutions/"$1"-*/*.cu "$tree/build/wrong/"
    sed -i "$3" "$tree/build/wrong/$2.cu"
    cmp -s "$tree/build/wrong/$2.cu" "$tree"/solutions/"$1"-*/"$2.cu" &&
        echo "the change changed nothing: $3"
    run check-chapter "$1" KERNEL="$2" SRC=build/wrong SHAPE="M37 K65" &&
        echo "it passes: $3"
    says WRONG
}

# Scalar, in-and-out output and type are really checked.
mistakes_are_found()
{
    wrong 98 warp 's/alpha \* sum/sum/'
    wrong 98 warp 's/y\[m\] += /y[m] = /'
}

narrow_types_pass()
{
    run check-solution 97 || echo "not PASS"
    says 'int8.cu' 'fp8.cu' 'PASS'
}

# Sums in the narrow type, and values taken for another type's.
narrow_sums_are_found()
{
    wrong 97 int8 's/int sum = 0/signed char sum = 0/'
    wrong 97 int8 's/alpha \* sum/sum/'
    wrong 97 fp8 's/sum += \((float)x.*\);/sum = e4m3(sum + \1);/
        s/^enum .*/&\n#define e4m3(v) (float)row_sum_e4m3_t(v)/'
    wrong 97 fp8 's/(float)x\[\(.*\)\];/(float)e5m2(x)[\1];/
        s/^enum .*/&\n#define e5m2(p) ((const row_sum_e5m2_t *)(p))/'
    wrong 97 fp8 's/ + (float)y\[m\]//'
}

# With fp8 optional, a wrong fp8 leaves the PASS and a wrong int8 does not.
optional_leaves_the_pass()
{
    conf=$tree/chapters/97-narrow-types/chapter.conf
    mkdir -p "$tree/build/optional"
    cp "$tree"/solutions/97-*/*.cu "$tree/build/optional/"
    sed -i 's/ + (float)y\[m\]//' "$tree/build/optional/fp8.cu"
    run check-chapter 97 SRC=build/optional && echo "a wrong fp8 passes"
    sed -i 's/^\[fp8\]/&\noptional = yes/' "$conf"
    run check-chapter 97 SRC=build/optional || echo "optional, and no PASS"
    says 'fp8.cu WRONG' 'the chapter can pass without' 'PASS chapter 97'
    run check-chapter 97 KERNEL=fp8 SRC=build/optional &&
        echo "asked for alone, a wrong optional kernel passes"
    sed -i 's/alpha \* sum/sum/' "$tree/build/optional/int8.cu"
    run check-chapter 97 SRC=build/optional && echo "a wrong int8 passes"
    sed -i '/^optional = yes/d' "$conf"
}

listed()
{
    run list
    says '98 Growing WRONG'
    run hint 98
    says 'hint 1 of 2' 'row m is m times K'
    run diff 98
    says '+++ solutions/98-growing/thread.cu' \
        '--- solutions/98-growing/thread.cu +++ solutions/98-growing/warp.cu' \
        '+ for (int step = 16;'
    echo '// mine' >>"$tree/chapters/98-growing/warp.cu"
    run reset 98 || cat "$work/said"
    says 'resets chapters/98-growing/warp.cu'
    cmp "$tree/chapters/98-growing/warp.cu" \
        tests/growth/tree/chapters/98-growing/warp.cu
}

facts()
{
    (cd "$tree" && build/bin/check --facts chapters) >"$work/said" ||
        echo "check --facts failed"
    says '98 warp op row_sum_bf16' '98 warp peer_shape wide: M64 K8192'
    (cd "$tree" && sh book/kernels/make.sh sums) | grep -q '^98 ' ||
        echo "make page-kernels does not know it"
}

analysed()
{
    run analyze 98 SRC=solutions/98-growing
    says 'warp' 'thread' 'PREDICTED'
    run roofline 98 SRC=solutions/98-growing || cat "$work/said"
    for svg in "$tree"/build/analyze/roofline-*98.svg; do
        grep -q '</svg>' "$svg" || echo "no picture: $svg"
    done
}

# The checker's own newest stage, at the shapes that the chapter asks for.
asked_of_the_bench()
{
    (cd "$tree" && build/bin/bench-stages build row_sum_bf16) \
        >"$work/said" 2>&1 || echo "bench-stages failed"
    grep -qE '^(absent|row) tall/warp/chapter-98 ' "$work/said" &&
        grep -qE '^(absent|row) wide/warp/chapter-98 ' "$work/said" ||
        cat "$work/said"
}

stand_in() # PATH; stdin: its script
{
    mkdir -p "${1%/*}"
    { echo '#!/bin/sh'; cat; } >"$1.new"
    chmod +x "$1.new"
    mv "$1.new" "$1" # a copy of the program may be what is replaced
}

# make bench N=98 PEERS=ours, in a build whose check and bench-stages say what
# a GPU would let them say.
recorded()
{
    jq -f "$root/tests/growth/measured.jq" \
        "$tree/build/report/solution-98.json" >"$work/measured.json" || return
    cp -a "$tree/build/bin" "$work/bin"
    stand_in "$tree/build/bin/check" <<END
while [ "\$1" != --json ]; do shift; done
cp "$work/measured.json" "\$2"
END
    stand_in "$tree/build/bin/bench-stages" <<'END'
[ "$2" = row_sum_bf16 ] || exit # the other families' are not measured now
echo "label copy float4 copy"
echo "label ours ours, newest"
echo "row tall/warp/chapter-98 0.05 0.049 0.051 30 1e-8"
echo "row tall/warp/copy 0.04 0.039 0.041 30 0"
END
    stand_in "$work/path/nvidia-smi" <<'END'
case $* in *=name*) echo NVIDIA H200 ;; *) echo 999.1 ;; esac
END
    stand_in "$work/cuda/bin/nvcc" <<'END'
echo "Cuda compilation tools, release 13.7, V13.7.1"
END
    (cd "$tree" && PATH=$work/path:$PATH N=98 PEERS=ours COMMIT=feed123 \
        sh common/cli/bench.sh build "$work/cuda") >"$work/said" 2>&1 ||
        cat "$work/said"
    rm -rf "$tree/build/bin"
    mv "$work/bin" "$tree/build/bin"
    for name in solution-98 peers-row_sum-ours; do
        at=$tree/book/results/nvidia-h200/$name.json
        [ -f "$at" ] || { echo "no $name.json"; continue; }
        schema=checker/report.schema.json
        [ $name = solution-98 ] || schema=common/peers/peers.schema.json
        words=$(jsonschema -i "$at" $schema 2>&1) || echo "$name: $words"
    done
    cmp book/results/nvidia-h200/peers-dwconv-ours.json \
        "$tree/book/results/nvidia-h200/peers-dwconv-ours.json"
}

table() # NAME TEXT...: rows of a table
{
    (cd "$tree" && sh book/lua.sh tables "$1" build/book/facts.tsv) \
        >"$work/said" 2>&1
    shift
    says "$@"
}

tables()
{
    run build/book/facts.tsv || cat "$work/said"
    table steps-98 '| `thread` | 3.20 | – | – | 10.00 |' \
        '| `warp` | 0.400 | 8.00 | `thread` | 1.25 |' \
        'driver 999.1, CUDA 13.7' 'at commit feed123.'
    table ladder-growth '| chapter | ms: rows | x copy: rows |' \
        '| 98 | 0.400 | 1.25 |'
    table peers-tall '| float4 copy | 0.0400 | 1.00 |' \
        '| ours, newest | 0.0500 | 1.25 |'
    table aims '| chapter 98, over a copy | at most 1.5x | 1.25x | reached |' \
        'chapter 98 on an NVIDIA H200 (driver 999.1, CUDA 13.7)'
}

page()
{
    (cd "$tree" && for name in $(sh book/lua.sh plots list \
        build/book/facts.tsv | grep '^growth-'); do
        sh book/lua.sh plots draw "$name" build/book/facts.tsv \
            >"book/plots/$name.svg" || echo "$name is not drawn"
    done) # make plots would draw all the others, too
    run snippets || cat "$work/said"
    html=$tree/build/book/html
    run build/book/html/98-growing.html build/book/html/index.html \
        build/book/html/search.js || cat "$work/said"
    for text in '<td style="text-align: right;">8.00</td>' \
        'growth-ladder.svg' 'growth-roofline.svg' 'at commit feed123' \
        'counts 1.67 sectors per request' 'int k = lane'; do
        sed 's/<span[^>]*>//g; s/<.span>//g' "$html/98-growing.html" |
            tr '\n' ' ' | grep -qF "$text" ||
            echo "98-growing.html has no: $text"
    done
    grep -q '98-growing.html' "$html/index.html" || echo "not in the contents"
    grep -q 'Chapter 98: growing' "$html/search.js" || echo "not in the index"
}

copy
quiet "an operator and a chapter are new files alone" grows
quiet "the build finds the operator" builds
quiet "check-solution 98 is PASS" solution_passes
quiet "check-chapter 98 is not, and says why" starter_does_not
quiet "a forgotten scalar and an output that is not read are WRONG" \
    mistakes_are_found
quiet "int8 to int32, and fp8, pass from end to end" narrow_types_pass
quiet "and sums in the narrow type do not" narrow_sums_are_found
quiet "an optional kernel leaves the chapter's PASS" optional_leaves_the_pass
quiet "list, hint, diff and reset know it" listed
quiet "check --facts knows it" facts
quiet "the suites steps, english and chapters know it" suites_know_it
quiet "and see what it lacks" suites_see_what_is_missing
quiet "no file that was there has changed" untouched
quiet "analyze and roofline know it" analysed
quiet "the bench times its newest stage at its shapes" asked_of_the_bench
if ! command -v jsonschema >/dev/null || ! command -v jq >/dev/null; then
    skip "a recorded result becomes tables and a page" "no jsonschema, or no jq"
    plan
fi
quiet "make bench measures it alone" recorded
if command -v pandoc >/dev/null && command -v gnuplot >/dev/null; then
    quiet "tables of its result are what was recorded" tables
    quiet "the book has its page, with its tables and figures" page
else
    skip "a recorded result becomes tables and a page" "no pandoc or gnuplot"
fi
plan
