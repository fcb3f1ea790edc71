#!/bin/sh
# SPDX-License-Identifier: MIT
# gradebook.sh NN: TO/gradebook.csv, TO/similar.txt and the table on the
# terminal, from what is in TO/reports by now; grade.sh describes them, and sets
# TO, FROM, CLASS, POINTS, DEADLINE and kernels. Exit code 1: some rows are
# UNGRADED.
#
# shellcheck disable=SC2154 # kernels is grade.sh's
. common/cli/lib.sh
. common/cli/feedback.sh
. common/cli/hand-in.sh

# A line per hand-in: folder, student, time, verdict, points, of, days late,
# what it could be worth if a person decides so (blank if no kernel is open),
# two per kernel, reason.
lines()
{
    hand_ins | xargs -0 -n 1 sh common/cli/gradebook.sh --line
}

line() # FOLDER
{
    split_name "${1##*/}"
    name=$(one_name "${1##*/}")
    student=$(one_name "$student")
    result=$TO/reports/${1##*/}/result
    [ -f "$result" ] || result=/dev/null
    stale=
    [ ! -d "$CLASS/seen" ] || [ -e "$CLASS/seen/${1##*/}" ] ||
        [ "$result" = /dev/null ] || stale=yes
    # What -v is given would be read for escapes.
    name=$name student=$student time=$time \
        awk -F '\t' -v kernels="$kernels" -v stale=$stale '
        BEGIN { name = ENVIRON["name"] }
        { value[$1] = $2; is_whole = $1 == "end" }
        $1 == "kernel" { of[$2] = $3 "\t" $4 }
        $1 == "kernel" && $4 == "" { unsettled += $5 }
        $1 == "sum" { most = $3 }
        END {
            if (!is_whole || stale) {
                value["verdict"] = "UNGRADED"
                value["reason"] = stale ? "ended before it was looked at " \
                    "again" : "ended before it was graded"
                value["late"] = most = ""
                value["student"] = ENVIRON["student"]
                value["time"] = ENVIRON["time"]
            }
            open = value["verdict"] == "UNGRADED"
            printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", name,
                value["student"], value["time"], value["verdict"],
                open ? "" : value["sum"], most, value["late"],
                open || !unsettled ? "" : value["sum"] + unsettled
            n = split(kernels, k, " ")
            for (i = 1; i <= n; i++)
                printf "\t%s", k[i] in of && !open ? of[k[i]] : "\t"
            printf "\t%s\n", value["reason"]
        }' "$result"
}

# A line per student, of the hand-in that counts. An open one might have been
# the best, or, without a time, the last: so it leaves the row open. One with an
# open kernel might become the best: its reason stands in the row, too.
rows()
{
    awk -F '\t' -v keep="$(awk -f common/cli/points.awk -v value_of=keep \
        "$POINTS")" '
        {
            i = ++count[$2]
            folder[$2, i] = $1
            could_be[$2, i] = $8
            why[$2, i] = $NF
            if (!($2 in row)) {
                order[++n] = $2
                better = 1
            } else if (keep == "last") {
                better = is_open[$2] && time[$2] == "" ? 0 : \
                    $3 >= time[$2] || ($4 == "UNGRADED" && $3 == "")
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
        # Hand-ins other than NAME that could be worth more than its points.
        function rivals(student, name,    i, said)
        {
            for (i = 1; keep != "last" && i <= count[student]; i++)
                if (folder[student, i] != name &&
                    could_be[student, i] + 0 > points[student] + 0)
                    said = said "; " folder[student, i] ": " why[student, i]
            return said
        }
        END {
            for (i = 1; i <= n; i++) {
                fields = split(row[order[i]], f, "\t")
                f[fields] = f[fields] rivals(order[i], f[1])
                sub(/^; /, "", f[fields])
                printf "%s\t%s\t%s\t%s\t%s\t%s\t%d", f[2], f[4], f[5], f[6],
                    f[7], f[1], count[order[i]]
                for (j = 9; j <= fields; j++)
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

# A spreadsheet takes what begins so for a formula, perhaps behind blanks and
# characters without a width. Where it separates cells by semicolons, one begins
# behind each of them, whatever the quotes say.
as_csv()
{
    LC_ALL=C awk -F '\t' '
    BEGIN {
        begins = "^( |\302[\240\255]|\342\200[\200-\257]|\342\201[\237-\257]|" \
            "\343\200\200|\357\273\277|\363\240[\200-\277][\200-\277])*" \
            "([=+@-]|\357\274[\213\215\235\240])"
    }
    function harmless(text,    part, parts, i, all)
    {
        parts = split(text, part, ";")
        for (i = 1; i <= parts; i++) {
            if (part[i] ~ begins)
                part[i] = "\x27" part[i]
            all = all (i > 1 ? ";" : "") part[i]
        }
        return all
    }
    {
        for (i = 1; i <= NF; i++) {
            field = harmless($i)
            gsub(/"/, "\"\"", field)
            if (field ~ /[",\x27 ;]/) field = "\"" field "\""
            printf "%s%s", field, i < NF ? "," : "\r\n"
        }
    }'
}

# Padded by the columns of a terminal: Müller has six, whether its ü is one
# character or u and two dots.
on_terminal()
{
    LC_ALL=C awk -F '\t' -v blanks="$(printf '%32s' '')" '
    function columns(text)
    {
        gsub(/\314[\200-\277]|\315[\200-\257]|\342\200[\213-\217]/, "", text)
        gsub(/[\343-\351\353-\355]..|\352[\260-\277].|\360\237../, "ww", text)
        gsub(/[\200-\277]/, "", text)
        return length(text)
    }
    { printf "%s%s %-16s %6s  %s\n", $1, substr(blanks, columns($1) + 1), $2,
        $3, $NF }'
}

# Who handed in what is alike, per kernel.
similar()
{
    echo "Alike without comments, names and layout; what was handed out does"
    echo "not count. It proves nothing: read both, and ask."
    for kernel in $kernels; do
        found=$(pairs "$kernel") || return
        [ -n "$found" ] || continue
        printf '\n%s\n' "$kernel"
        printf '%s\n' "$found" | awk -F '\t' '{
            if ($1 == "same") printf "  equal, %d hand-ins:", NF - 1
            else if ($1 == "unread") printf "  not compared:"
            else printf "  %3d %% shared:", $1
            for (i = 2; i <= NF; i++) printf "%s %s", (i > 2 ? ";" : ""), $i
            printf "\n"
        }'
    done
}

pairs() # KERNEL
{
    printf '%s\n' "$checks" | while IFS="$tab" read -r key person; do
        for file in "$CLASS/checked/$key/in/$1".c \
            "$CLASS/checked/$key/in/$1".cu; do
            [ ! -f "$file" ] || printf '%s\t%s\n' "$person" "$file"
        done
    done | "$BUILD/bin/alike" pairs "$CLASS/known/$1"/*
}

# An older list would not say who is new.
write_similar()
{
    alike=$(similar) || {
        rm -f "$TO/similar.txt"
        die "similar.txt could not be made"
    }
    printf '%s\n' "$alike" | no_controls | put_in_place similar.txt
}

# Digest and student of each hand-in that was checked: all that a student has.
checks()
{
    (
        cd "$TO/reports" && hand_ins |
            LC_ALL=C sed -z 's|.*/\(.*\)|./\1/result|' |
            xargs -0 cat 2>/dev/null
    ) | awk -F '\t' '
        { value[$1] = $2 }
        $1 == "end" { print value["checked"] "\t" value["student"] }' |
        LC_ALL=C sort -u -t "$tab" -k 2,2 -k 1,1
}

# xargs ends at a process that was killed, and says nothing of the rest.
all_are_there()
{
    rows=$(printf '%s\n' "$table" | awk -F '\t' 'NR > 1 { n += $7 }
        END { print n + 0 }')
    hand_ins >/dev/null && [ "$rows" -eq "$(hand_ins | tr -cd '\000' |
        wc -c)" ] || die \
        "The table has not all hand-ins, so it was not written. Was a process" \
        "ended, or did FROM=$FROM change?" \
        "The same command makes it again; what is graded stays."
}

# In one rename, or not at all; FILE's text is standard input.
put_in_place() # FILE
{
    cat >"$CLASS/new" && sync "$CLASS/new" && mv -T "$CLASS/new" "$TO/$1" ||
        die "$TO/$1 could not be written. Is the disk full? The same" \
            "command makes it again; what is graded stays."
}

if [ "$1" = --line ]; then
    line "$2"
    exit
fi
tab=$(printf '\t')
# Kept in memory: a full disk must not shorten them.
table=$({ head_line; lines | rows; } | no_controls)
all_are_there
printf '%s\n' "$table" | as_csv | put_in_place gradebook.csv || exit
checks=$(checks)
printf '%s\n' "$table" | on_terminal
write_similar || exit
open=$(printf '%s\n' "$table" | cut -f 2 | grep -c '^UNGRADED')
[ -z "$DEADLINE" ] || date -d "@$DEADLINE" \
    '+The deadline is %F %T %Z; times without a zone are in that one.' >&2
[ -z "$DEADLINE" ] || printf '%s\n' "$table" | awk -F '\t' '
    NR > 1 && $5 == "" && $2 != "UNGRADED" { n++ }
    END {
        if (n) print n " students: no time in the folder name, " \
            "nothing taken off"
    }' >&2
others=$(no_hand_ins | no_controls)
[ -z "$others" ] || echo "Not taken for hand-ins: $others" >&2
[ "$open" -eq 0 ] || {
    echo "$open not graded; the last column says why." \
        "The same command tries them again." >&2
    exit 1
}
