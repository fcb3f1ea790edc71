#!/bin/sh
# SPDX-License-Identifier: MIT
# predict.sh predict NN: asks what the lesson wants predicted, keeps your
# answers, and shows each beside the lesson's, one at a time; then what your
# last check measured.
#
# Questions are the numbered points of the lesson's section "Predict". Answers
# are those of the folded list "Your predictions, one by one". A question that
# you answered is not asked again. Until all are given, - in the place of an
# answer takes the last one back; then removing .progress/NN/predictions begins
# anew. With KERNEL= only those are asked that name this
# kernel, if any does, and its measurements alone are shown.
. common/cli/lib.sh

number=$2
lesson=$(chapter_dir chapter "$number")/README.md
mine=$PROGRESS/$number/predictions
report=$BUILD/report/chapter-$number.json

# The numbered points between two lines, each as `N TEXT` on one line.
points() # FIRST-LINE LAST-LINE (patterns)
{
    awk -v first="$1" -v last="$2" '
        function done() { if (point != "") print point; point = "" }
        inside && $0 ~ last { done(); exit }
        $0 ~ first { inside = 1; next }
        !inside { next }
        /^[0-9]+\. / { done(); point = $0; sub(/\. +/, "\t", point); next }
        /^ / && point != "" { sub(/^ +/, " "); point = point $0; next }
        { done() }
        END { done() }' "$lesson" |
        sed 's/<!--[^>]*-->//g; s/`//g; s/\[\([^]]*\)\]([^)]*)/\1/g'
}

questions()
{
    all=$(points '^## Predict' '^## ')
    own=$([ -z "$KERNEL" ] || printf '%s\n' "$all" | grep -w -e "$KERNEL")
    [ -z "${own:-$all}" ] || printf '%s\n' "${own:-$all}"
}

answers()
{
    points '<summary>Your predictions, one by one' '^</details>'
}

the() # N, of the points on standard input
{
    awk -F '\t' -v n="$1" '$1 == n { print $2; exit }'
}

wrapped() # LABEL TEXT
{
    printf '%s\n' "$2" | fold -s -w 66 |
        sed "s/ *\$//; 1s/^/$1/; 2,\$s/^/          /"
}

asked() # the questions that are not answered yet
{
    questions | while IFS='	' read -r n text; do
        [ -n "$(the "$n" 2>/dev/null <"$mine")" ] ||
            printf '%s\t%s\n' "$n" "$text"
    done
}

# Counters of a kernel that passes, each once: a gate may be one as well.
# What the starters of the other steps count answers no question.
measured()
{
    [ -f "$report" ] && [ -x "$BUILD/bin/check" ] || {
        echo "Not measured yet: make check-chapter ${number#0}"
        return
    }
    echo "Your last check:"
    "$BUILD/bin/check" --facts "$report" | awk -F '\t' -v only="$KERNEL" '
        BEGIN {
            n = split("global_load_requests global_load_sectors " \
                "global_store_requests global_store_sectors " \
                "shared_load_requests shared_load_conflicts", list, " ")
            for (i = 1; i <= n; i++) shown[list[i]]
        }
        split($1, at, "/") < 3 || at[1] != "kernels" { next }
        only != "" && at[2] != only { next }
        at[3] == "verdict" {
            printf "  %s: %s\n", at[2], $2
            passes = $2 == "PASS"
        }
        at[3] == "predicted" && at[4] == "ms" { row("ms PREDICTED", $2) }
        at[5] == "gates" && at[7] == "value" { row(at[6], $2) }
        at[5] == "counters" && at[6] in shown && $2 { row(at[6], $2) }
        at[5] == "time_ms" && at[6] == "this" && at[7] == "median" {
            row("ms measured", $2)
        }
        at[5] == "speedup" && at[6] == "median" {
            row("times as fast as the stage before", $2)
        }
        function row(name, value) {
            if (!passes || said[at[2], name]++) return
            printf "    %-36s " (value == int(value) ? "%.0f" : "%.6g") "\n",
                name, value
        }'
}

[ -z "$KERNEL" ] || kernels "${lesson%/*}" | grep -q "/$KERNEL\.c" ||
    die "there is no kernel $KERNEL in ${lesson%/*}."
[ -n "$(questions)" ] || die "lesson ${number#0} asks for no prediction."
mkdir -p "$PROGRESS/$number" && [ -f "$mine" ] || : >"$mine" ||
    die "cannot write $mine: no permission, or the disk is full?"

left=' ' # the numbers of those that are left open
next() # the first question that is neither answered nor left open
{
    asked | while IFS='	' read -r n text; do
        case $left in
        *" $n "*) ;;
        *) printf '%s\t%s\n' "$n" "$text"; break ;;
        esac
    done
}

[ -z "$(asked)" ] ||
    echo "Enter leaves a question open; - takes your last answer back."
while point=$(next) && [ -n "$point" ]; do
    n=${point%%	*}
    wrapped "$n         " "${point#*	}"
    printf 'you:      '
    IFS= read -r reply || { echo; break; }
    case $reply in
    '') left="$left$n " ;;
    -) sed '$d' "$mine" >"$mine.less" && mv "$mine.less" "$mine"; left=' ' ;;
    *) printf '%s\t%s\n' "$n" "$reply" >>"$mine" ;;
    esac
done
if [ -n "$(asked)" ]; then
    echo "Kept. Answer the rest, and you see the lesson's: make predict" \
        "${number#0}"
    exit 0
fi

questions >"$mine.asked"
exec 3<"$mine.asked"
rm -f "$mine.asked"
while IFS='	' read -r n text <&3; do
    echo
    wrapped "$n         " "$text"
    wrapped 'you:      ' "$(the "$n" <"$mine")"
    answer=$(answers | the "$n")
    wrapped 'lesson:   ' "${answer:-see its section \"What you should see\"}"
    if [ -t 0 ] && [ -t 1 ]; then
        printf 'Enter shows the next. '
        read -r _ || break
    fi
done
echo
measured
echo "To answer anew: rm $mine"
