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
sh book/facts.sh >"$facts" || exit 1
plot=book/plots/plot.sh

up_to_date()
{
    sh $plot check "$facts" book/plots 2>&1
}

# Change the facts by a sed SCRIPT: the check must fail and name the plots.
must_notice() # SCRIPT NAME...
{
    sed "$1" "$facts" >"$work/changed"
    cmp -s "$facts" "$work/changed" && echo "the change changed nothing: $1"
    sh $plot check "$work/changed" book/plots >"$work/said" 2>&1 &&
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
    must_notice 's|^\(nvidia-h200/05/forward/time_ms.\).*|\11.61|' \
        dwconv-ladder.svg dwconv-roofline.svg
    must_notice 's|^\(nvidia-h200/copy_TB_per_second.\).*|\13.9|' \
        dwconv-roofline.svg
    must_notice '/^nvidia-h200.04.forward.copy_ms/d' 04/forward/copy_ms
    must_notice '/time_ms/d' "no chapter"
}

drawn()
{
    for name in $(sh $plot list); do
        svg=$work/$name.svg
        sh $plot draw "$name" "$facts" >"$svg" || echo "$name was not drawn"
        python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" \
            "$svg" || echo "$name is no XML"
        for text in '<title id="t">' '<desc id="d">' 'role="img"' \
            'prefers-color-scheme: dark' '<!-- stamp '; do
            grep -qF "$text" "$svg" || echo "$name has no $text"
        done
        grep -E "(stroke|fill|color)=['\"]rgb" "$svg"
    done
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
    for name in $(sh $plot list); do
        grep -qr "figure: $name -->" chapters/*/README.md book/front \
            book/appendix || echo "no page shows $name"
    done
}

tables()
{
    for table in study study-cited study-steps aims shares peers-study \
        peers-long peers-short; do
        awk -v table=$table -f book/tables.awk "$facts" >"$work/table" ||
            echo "$table failed"
        awk -F '|' 'NR == 1 { n = NF } NF != n { print "uneven: " $0 }
            END { if (NR < 4) print "no rows" }' "$work/table"
    done
    awk -v table=study -f book/tables.awk "$facts" |
        grep -qF '| coalesced | 05 | 28.23 | 28.78 | 49.64 | 106.65 | ' ||
        echo "the cited row is not as it was cited"
    awk -v table=peers-nowhere -f book/tables.awk "$facts" >/dev/null 2>&1 &&
        echo "a table of nothing went through"
}

derived() # from numbers that can be done by hand
{
    printf '%s\t%s\n' g/05/forward/time_ms 6 g/07/forward/time_ms 2 \
        g/07/forward/copy_ms 1 g/07/input_grad/time_ms 3 \
        g/07/weight_grad/time_ms 4 g/peers/s/forward/copy/ms 2 \
        g/peers/s/forward/chapter-07/ms 3 g/peers/s/forward/fft/ms 12 |
        awk -f book/derive.awk | sort >"$work/derived"
    for line in 'g/07/forward/step_from/05 3' 'g/07/forward/over_copy 2' \
        'g/07/total/time_ms 9' 'g/peers/s/forward/fft/times_ours 4' \
        'g/peers/s/forward/fft/over_copy 6' \
        'g/peers/s/forward/ours/over_copy 1.5'; do
        tr '\t' ' ' <"$work/derived" | grep -qxF "$line" || echo "no: $line"
    done
    grep -E 'g/05/total|total/copy_ms|step_from/07' "$work/derived"
}

quiet "committed plots say what the results say" up_to_date
quiet "a changed or missing result is noticed" digits_are_noticed
quiet "every plot is shown on a page" shown
quiet "tables hold what they cite and measure" tables
quiet "totals and ratios are what they are by hand" derived
quiet "a colour without a dark twin is refused" unknown_colour
if command -v gnuplot >/dev/null; then
    quiet "every plot can be drawn, with words and dark colours" drawn
else
    skip "every plot can be drawn" "no gnuplot here"
fi
plan
