#!/bin/sh
# SPDX-License-Identifier: MIT
# The plots and tables of results, as TAP: committed plots say what the results
# say, each can be drawn, follows a dark theme and has words; a changed, missing
# or colourless thing is caught.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
if ! command -v pandoc >/dev/null; then
    skip "plots of results" "no pandoc here"
    plan
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
facts=$work/facts.tsv
sh book/lua.sh facts >"$facts" || exit 1

up_to_date()
{
    sh book/lua.sh plots check "$facts" book/plots 2>&1
}

# Change the facts by a sed SCRIPT: the check must fail and name the plots.
must_notice() # SCRIPT NAME...
{
    sed "$1" "$facts" >"$work/changed"
    cmp -s "$facts" "$work/changed" && echo "the change changed nothing: $1"
    shift
    must_notice_file "$work/changed" "$@"
}

must_notice_file() # FACTS NAME...
{
    sh book/lua.sh plots check "$1" book/plots >"$work/said" 2>&1 &&
        echo "went through: $1"
    shift
    for name; do
        grep -qF "$name" "$work/said" || {
            echo "not named: $name"
            cat "$work/said"
        }
    done
}

digits_are_noticed()
{
    must_notice 's|^\(nvidia-h200/05/forward/time_ms.\)[^\t]*|\11.61|' \
        dwconv-ladder.svg dwconv-roofline.svg
    must_notice 's|^\(nvidia-h200/copy_TB_per_second.\)[^\t]*|\13.9|' \
        dwconv-roofline.svg
    must_notice '/^nvidia-h200.04.forward.copy_ms/d' 04/forward/copy_ms
    must_notice '/time_ms/d' "no chapter"
}

# A stage whose operator is another pipe's gets that pipe's roof, which must
# have been measured.
roof_of_the_operator()
{
    key=nvidia-h200/09/forward/pipe
    grep -v "^$key\|int8_tensor_TFLOP" "$facts" >"$work/pipes"
    printf '%s\t%s\t%s\n' $key int8_tensor nvidia-h200/solution-09 \
        >>"$work/pipes"
    sh book/lua.sh plots check "$work/pipes" book/plots >"$work/said" 2>&1 &&
        echo "a roof that nobody measured went through"
    grep -qF int8_tensor_TFLOP_per_second "$work/said" || cat "$work/said"
    printf '%s\t%s\t%s\n' nvidia-h200/int8_tensor_TFLOP_per_second 777 \
        nvidia-h200/roofs >>"$work/pipes"
    must_notice_file "$work/pipes" dwconv-roofline.svg
    command -v gnuplot >/dev/null || return
    sh book/lua.sh plots draw dwconv-roofline "$work/pipes" >"$work/two.svg"
    for count in 'int8 tensor 777 TFLOP/s 1' 'fp32 62 TFLOP/s 3'; do
        [ "$(grep -cF "${count% *}" "$work/two.svg")" -eq "${count##* }" ] ||
            echo "not so often: $count"
    done
}

no_xml() # FILE...: in one process, those that are none
{
    python3 -c "import sys, xml.dom.minidom as x
for name in sys.argv[1:]:
    try:
        x.parse(name)
    except Exception as wrong:
        print(name, 'is no XML:', wrong)" "$@" || echo "python3 failed"
}

drawn()
{
    set --
    for name in $(sh book/lua.sh plots list "$facts"); do
        svg=$work/$name.svg
        sh book/lua.sh plots draw "$name" "$facts" >"$svg" ||
            echo "$name was not drawn"
        set -- "$@" "$svg"
        all=$(cat "$svg")
        for text in '<title id="t">' '<desc id="d">' 'role="img"' \
            'prefers-color-scheme: dark' '<!-- stamp '; do
            case $all in *"$text"*) ;; *) echo "$name has no $text" ;; esac
        done
        grep -E "(stroke|fill|color)=['\"]rgb" "$svg"
    done
    echo '<svg>' >"$work/half.svg"
    no_xml "$@" "$work/half.svg" >"$work/said"
    grep -v "^$work/half.svg is no XML: " "$work/said"
    [ -s "$work/said" ] || echo "half an element is XML"
}

# A colour that the dark theme does not know would vanish there.
unknown_colour()
{
    printf '<svg width="9" height="9"\n>\n%s\n</svg>\n' \
        "<path stroke='rgb(  1,   2,   3)'/>" |
        awk -v title=t -f book/plots/finish.awk >"$work/out" 2>&1 &&
        echo "an unknown colour went through"
    grep -q '#010203' "$work/out" || cat "$work/out"
}

shown()
{
    for name in $(sh book/lua.sh plots list "$facts"); do
        grep -qr "figure: ${name%-narrow} -->" chapters/*/README.md book/front \
            book/appendix || echo "no page shows $name"
    done
}

table_of() # NAME
{
    sh book/lua.sh tables "$1" "$facts"
}

# Rows of one width, then an empty line and a sentence on where it was measured.
tables()
{
    where='on an NVIDIA H200 \(driver .* at commit'
    for table in study study-cited study-steps aims shares-dwconv \
        ladder-dwconv peers-study peers-long peers-short; do
        table_of $table >"$work/table" || echo "$table failed"
        awk -F '|' 'NR == 1 { n = NF } /^\|/ { rows++ }
            /^\|/ && NF != n { print "uneven: " $0 }
            END { if (rows < 4) print "no rows" }' "$work/table"
        [ $table = study-cited ] || tail -n 1 "$work/table" |
            grep -Eq "^Measured (in [0-9]+ runs )?$where" ||
            echo "$table does not say when it was measured"
    done
    table_of study |
        grep -qF '| coalesced | 05 | 28.23 | 28.78 | 49.64 | 106.65 | ' ||
        echo "the cited row is not as it was cited"
    table_of peers-nowhere >/dev/null 2>&1 &&
        echo "a table of nothing went through"
}

# Where one chapter was measured at another commit, table and plot say so.
mixed_runs_are_named()
{
    awk -F '\t' -v OFS='\t' '
        $1 == "provenance/nvidia-h200/solution-06/commit" { $2 = "abc1234" }
        $1 == "provenance/nvidia-h200/solution-06/date" { $2 = "2031-05-06" }
        { print }' "$facts" >"$work/mixed"
    sh book/lua.sh tables study "$work/mixed" | tail -n 1 >"$work/said"
    for words in ' runs on an NVIDIA H200' \
        'chapter 06 on 2031-05-06 at commit abc1234' \
        'chapter 04, chapter 05 and chapter 08 on'; do
        grep -qF "$words" "$work/said" || cat "$work/said"
    done
    sh book/lua.sh tables peers-study "$work/mixed" | tail -n 1 |
        grep -q '^Measured on an' || echo "peers-study has no part in it"
    sh book/lua.sh plots check "$work/mixed" book/plots >"$work/said" 2>&1 &&
        echo "the plots' commit is not part of them"
    grep -q dwconv-ladder.svg "$work/said" || cat "$work/said"
}

# A map of numbers that can be done by hand, and one that nobody measured.
maps()
{
    peers=nvidia-h200/peers/batchone/gemm_bias_act
    grep -v "scratch_bytes" "$facts" >"$work/unmeasured"
    sh book/lua.sh plots words 20-memory "$work/unmeasured" \
        >"$work/said" 2>&1 && echo "a map of nothing was drawn"
    grep -v "^$peers/\(ours\|eager\)/ms" "$work/unmeasured" >"$work/known"
    printf '%s\t%s\tnvidia-h200/peers-linear-ours\n' $peers/ours/ms 0.5 \
        $peers/eager/ms 2 $peers/ours/scratch_bytes 0 \
        $peers/eager/scratch_bytes 3145728 >>"$work/known"
    least=$(awk -F '\t' '$1 ~ /batchsixteen.gemm_bias_act.chapter-20.ms$/ {
        printf "%.1f", 1000 * $2 }' "$facts")
    for row in 'memory ours 0; eager 3.00.' "latency ours $least to 500;" \
        'throughput ours 0.0671 to'; do
        sh book/lua.sh plots words "20-${row%% *}" "$work/known" |
            tr '\n' ' ' >"$work/said"
        grep -qF "${row#* }" "$work/said" || cat "$work/said"
    done
}

derived() # from numbers that can be done by hand
{
    printf '%s\t%s\n' g/05/forward/time_ms 6 g/07/forward/time_ms 2 \
        g/07/forward/copy_ms 1 g/07/input_grad/time_ms 3 \
        g/07/weight_grad/time_ms 4 g/peers/s/forward/copy/ms 2 \
        g/peers/s/forward/chapter-07/scratch_bytes 8 \
        g/peers/s/forward/chapter-07/ms 3 g/peers/s/forward/fft/ms 12 \
        g/peers/long/forward/fft/ms 1 g/peers/long/input_grad/fft/ms 2 \
        g/peers/long/weight_grad/fft/ms 4 predicted/05/forward/ms 4 \
        predicted-change/05/forward/rows/ms 5 >"$work/lines"
    sh book/lua.sh derive "$work/lines" >"$work/derived"
    for line in 'g/07/forward/step_from/05 3' 'g/07/forward/over_copy 2' \
        'g/07/total/time_ms 9' 'g/peers/s/forward/fft/times_ours 4' \
        'g/peers/s/forward/fft/ours_over 0.25' \
        'g/peers/s/forward/ours/scratch_bytes 8' \
        'g/peers/s/forward/fft/over_copy 6' 'g/peers/long/total/fft/ms 7' \
        'g/peers/s/forward/ours/over_copy 1.5' \
        'predicted-change/05/forward/rows/percent_more 25' \
        'predicted-change/05/forward/rows/percent_less -25'; do
        tr '\t' ' ' <"$work/derived" | grep -qxF "$line " || echo "no: $line"
    done
    grep -E 'g/05/total|total/copy_ms|step_from/07' "$work/derived"
}

# A result without its provenance, or a file that is no JSON, is an error.
provenance_is_needed()
{
    cp -R book/results "$work/results"
    at=$work/results/nvidia-h200/roofs.json
    sed -i 's/"provenance"/"origin"/' "$at"
    sh book/lua.sh facts "$work/results" >/dev/null 2>"$work/said" &&
        echo "a result of no date went through"
    grep -q 'roofs.json does not say when' "$work/said" || cat "$work/said"
    echo '{"version": ' >"$at"
    sh book/lua.sh facts "$work/results" >/dev/null 2>"$work/said" &&
        echo "half a file went through"
    grep -q 'cannot read .*roofs.json' "$work/said" || cat "$work/said"
}

quiet "committed plots say what the results say" up_to_date
quiet "a changed or missing result is noticed" digits_are_noticed
quiet "a roof is the one of the stage's pipe" roof_of_the_operator
quiet "every plot is shown on a page" shown
quiet "tables hold what they cite and measure" tables
quiet "a table of several runs names them" mixed_runs_are_named
quiet "a result says when it was measured" provenance_is_needed
quiet "maps hold what was measured, and nothing else" maps
quiet "totals and ratios are what they are by hand" derived
quiet "a colour without a dark twin is refused" unknown_colour
if command -v gnuplot >/dev/null; then
    quiet "every plot can be drawn, with words and dark colours" drawn
else
    skip "every plot can be drawn" "no gnuplot here"
fi
plan
