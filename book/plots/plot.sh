#!/bin/sh
# SPDX-License-Identifier: MIT
# plot.sh: the book's plots of results. FACTS is facts.sh's output.
#
#   plot.sh list                 their names
#   plot.sh draw NAME FACTS      the SVG, by gnuplot
#   plot.sh words NAME FACTS     the figure's Markdown; @/ is the workbook's root
#   plot.sh check FACTS FOLDER   says which of FOLDER/*.svg are out of date
#
# The hard idea: gnuplot's versions draw a line differently, so a committed
# picture is not held to its bytes. It carries a stamp, the digest of the data
# and of all that draws it, and is out of date when the stamp would differ.
set -u
here=$(dirname "$0")
gpu=nvidia-h200
all="dwconv-ladder dwconv-roofline"

die()
{
    echo "plot: $*" >&2
    exit 1
}

fact() # KEY: its value; a missing one ends it
{
    awk -F '\t' -v key="$gpu/$1" '$1 == key { print $2; found = 1 }
        END { exit !found }' "$facts" || die "no result $gpu/$1 in $facts"
}

# The chapters that measured a path of the operator.
chapters()
{
    awk -F '[/\t]' -v gpu="$gpu" '$1 == gpu && $2 ~ /^[0-9]+$/ &&
        $3 ~ /^(forward|input_grad|weight_grad)$/ && $4 == "time_ms" {
            print $2 }' "$facts" | sort -u | tr '\n' ' '
}

shape()
{
    sed -n 's/^time_shape = //p' chapters/04-*/chapter.conf | head -n 1
}

# Everything that a plot says, as `key=value` lines and its data.
prepare() # NAME: sets title, text, words; writes $work/data and $work/set.gp
{
    kind=${1##*-}
    list=$(chapters)
    [ -n "$list" ] || die "no chapter of it was measured in $facts"
    first=${list%% *}
    last=$(echo "$list" | awk '{ print $NF }')
    awk -v gpu=$gpu -v chapters="$list" -f "$here/$kind.awk" "$facts" \
        >"$work/data" || die "no data for $1"
    copy=$(fact "$first/forward/copy_ms") || exit 1
    name=$(fact gpu) || exit 1
    case $kind in
    ladder)
        title="Three paths, stage by stage"
        text="Time of one launch at $(shape) on an $name"
        {
            echo "stages = $(echo "$list" | wc -w)"
            echo "floor = $copy"
            echo "unit = 'ms'"
            echo "ticks = \"$(echo "$list" | awk '{ for (i = 1; i <= NF; i++)
                printf("%s'\''%s'\'' %d", (i > 1 ? ", " : ""), $i, i) }')\""
        } >"$work/set.gp"
        ;;
    roofline)
        title="Stages under the two ceilings"
        text="Chapters $first to $last at $(shape) on an $name"
        bandwidth=$(fact copy_TB_per_second) || exit 1
        peak=$(fact fp32_TFLOP_per_second) || exit 1
        {
            echo "bandwidth = $bandwidth"
            echo "peak = $peak"
            echo "low = 0.02; high = 150; left = 0.5; right = 60"
        } >"$work/set.gp"
        ;;
    esac
    echo "panels = 3; names = 'forward|input gradient|weight gradient'" \
        >>"$work/set.gp"
    words=$(words 1)
}

words() # FULL
{
    awk -v kind="$kind" -v first="$first" -v last="$last" -v copy="$copy" \
        -v full="$1" -f "$here/words.awk" "$work/data"
}

stamp()
{
    cat "$work/data" "$work/set.gp" "$here/style.gp" "$here/$kind.gp" \
        "$here/finish.awk" |
        sha256sum | cut -c 1-16
}

draw() # NAME
{
    prepare "$1"
    gnuplot -e "data = '$work/data'; style = '$here/style.gp'" \
        "$work/set.gp" "$here/$kind.gp" >"$work/raw.svg" ||
        die "gnuplot could not draw $1"
    awk -v title="$title" -v text="$text" -v words="$words" \
        -v stamp="$(stamp)" -f "$here/finish.awk" "$work/raw.svg"
}

out_of_date() # NAME SVG
{
    prepare "$1"
    grep -qF "<!-- stamp $(stamp) -->" "$2" 2>/dev/null ||
        echo "$2 is not what the results say: make pictures"
}

[ $# -gt 0 ] || die "list, draw, words or check?"
what=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
case $what in
list) printf '%s\n' $all ;;
draw | words)
    case " $all " in *" $1 "*) ;; *) die "no plot $1; there are: $all" ;; esac
    facts=$2
    [ -s "$facts" ] || die "no facts in $facts"
    [ "$what" = words ] || { draw "$1"; exit; }
    prepare "$1"
    echo "![$title, $(words 0)](@/book/plots/$1.svg)" | fold -s -w 78 |
        sed 's/ *$//'
    ;;
check)
    facts=$1
    [ -s "$facts" ] || die "no facts in $facts"
    wrong=$(for name in $all; do out_of_date "$name" "$2/$name.svg"; done 2>&1)
    [ -z "$wrong" ] || die "$wrong"
    ;;
*) die "list, draw, words or check, not $what" ;;
esac
