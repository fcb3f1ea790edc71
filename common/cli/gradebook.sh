#!/bin/sh
# SPDX-License-Identifier: MIT
# gradebook.sh NN: TO/gradebook.csv, TO/similar.txt and the table on the
# terminal, from what is in TO/reports by now; grade.sh describes them, and sets
# TO, FROM, CLASS, POINTS, DEADLINE and kernels. Exit code 1: some rows are
# UNGRADED.
#
# shellcheck disable=SC2154 # kernels is grade.sh's
. common/cli/lib.sh

one_line()
{
    printf %s "$1" | tr '\t\n\r' '   '
}

# A line per hand-in: folder, student, time, verdict, points, of, days late, two
# per kernel, reason.
lines()
{
    find "$FROM" -mindepth 1 -maxdepth 1 ! -name '.*' -print0 |
        LC_ALL=C sort -z | xargs -0 -n 1 sh common/cli/gradebook.sh --line
}

line() # FOLDER
{
    name=$(one_line "${1##*/}")
    result=$TO/reports/${1##*/}/result
    [ -f "$result" ] || result=/dev/null
    awk -F '\t' -v name="$name" -v kernels="$kernels" '
        { value[$1] = $2 }
        $1 == "kernel" { of[$2] = $3 "\t" $4 }
        $1 == "sum" { most = $3 }
        END {
            if (!("verdict" in value)) {
                value["verdict"] = "UNGRADED"
                value["reason"] = "ended before it was graded"
                student = name
                if (match(name, /@[0-9][0-9][0-9][0-9]-[^@]*$/))
                    student = substr(name, 1, RSTART - 1)
                value["student"] = student
            }
            open = value["verdict"] == "UNGRADED"
            printf "%s\t%s\t%s\t%s\t%s\t%s\t%s", name, value["student"],
                value["time"], value["verdict"], open ? "" : value["sum"], most,
                value["late"]
            n = split(kernels, k, " ")
            for (i = 1; i <= n; i++)
                printf "\t%s", k[i] in of && !open ? of[k[i]] : "\t"
            printf "\t%s\n", value["reason"]
        }' "$result"
}

# A line per student, of the hand-in that counts. An open one might have been
# the best, so it leaves the row open.
rows()
{
    awk -F '\t' -v keep="$(awk -f common/cli/points.awk -v value_of=keep \
        "$POINTS")" '
        {
            count[$2]++
            if (!($2 in row)) {
                order[++n] = $2
                better = 1
            } else if (keep == "last") {
                better = $3 >= time[$2]
            } else {
                better = is_open[$2] ? 0 : $4 == "UNGRADED" || \
                    $5 + 0 > points[$2] + 0
            }
            if (better) {
                row[$2] = $0
                time[$2] = $3
                points[$2] = $5
                is_open[$2] = $4 == "UNGRADED"
            }
        }
        END {
            for (i = 1; i <= n; i++) {
                fields = split(row[order[i]], f, "\t")
                printf "%s\t%s\t%s\t%s\t%s\t%s\t%d", f[2], f[4], f[5], f[6],
                    f[7], f[1], count[order[i]]
                for (j = 8; j <= fields; j++)
                    printf "\t%s", f[j]
                printf "\n"
            }
        }'
}

head_line()
{
    printf 'student\tverdict\tpoints\tof\tdays late\thand-in\thand-ins'
    for kernel in $kernels; do
        printf '\t%s\t%s points' "$kernel" "$kernel"
    done
    printf '\treason\n'
}

# A spreadsheet takes what begins so for a formula.
as_csv()
{
    awk -F '\t' '{
        for (i = 1; i <= NF; i++) {
            field = $i
            gsub(/"/, "\"\"", field)
            if (field ~ /^[ ]*[=+@-]/) field = "\x27" field
            if (field ~ /[",\x27 ;]/) field = "\"" field "\""
            printf "%s%s", field, i < NF ? "," : "\r\n"
        }
    }'
}

# Who handed in what is alike, per kernel.
similar()
{
    echo "Alike without comments, names and layout; what was handed out does"
    echo "not count. It proves nothing: read both, and ask."
    for kernel in $kernels; do
        pairs "$kernel" >"$CLASS/pairs"
        [ -s "$CLASS/pairs" ] || continue
        printf '\n%s\n' "$kernel"
        awk -F '\t' '{
            if ($1 == "same") printf "  equal, %d hand-ins:", NF - 1
            else printf "  %3d %% shared:", $1
            for (i = 2; i <= NF; i++) printf "%s %s", (i > 2 ? ";" : ""), $i
            printf "\n"
        }' "$CLASS/pairs"
    done
    rm -f "$CLASS/pairs"
}

pairs() # KERNEL
{
    cut -f 1,2 "$CLASS/checks" | while IFS="$tab" read -r key person; do
        for file in "$CLASS/checked/$key/in/$1".c \
            "$CLASS/checked/$key/in/$1".cu; do
            [ ! -f "$file" ] || printf '%s\t%s\n' "$person" "$file"
        done
    done | "$BUILD/bin/alike" pairs "$CLASS/known/$1"/*
}

# Digest and student of each hand-in that was checked.
checks()
{
    find "$TO/reports" -mindepth 2 -maxdepth 2 -name result -exec awk -F '\t' '
        { value[$1] = $2 }
        $1 == "reason" { print value["checked"] "\t" value["student"] }' {} + |
        LC_ALL=C sort -u -k 2
}

if [ "$1" = --line ]; then
    line "$2"
    exit
fi
tab=$(printf '\t')
{ head_line; lines | rows; } | iconv -c -f UTF-8 -t UTF-8 >"$CLASS/table"
as_csv <"$CLASS/table" >"$CLASS/csv" && mv "$CLASS/csv" "$TO/gradebook.csv"
checks >"$CLASS/checks"
similar | iconv -c -f UTF-8 -t UTF-8 >"$CLASS/similar" &&
    mv "$CLASS/similar" "$TO/similar.txt"
LC_ALL=C tr -d '\033' <"$CLASS/table" | awk -F '\t' '{
    printf "%-32s %-16s %6s  %s\n", $1, $2, $3, $NF }'
open=$(cut -f 2 "$CLASS/table" | grep -c '^UNGRADED')
[ -z "$DEADLINE" ] || awk -F '\t' 'NR > 1 && $5 == "" { n++ } END {
    if (n) print n " students: no time in the folder name, nothing taken off"
    }' "$CLASS/table" >&2
rm -f "$CLASS/table" "$CLASS/checks"
[ "$open" -eq 0 ] || {
    echo "$open not graded; the last column says why." \
        "The same command tries them again." >&2
    exit 1
}
