#!/bin/sh
# SPDX-License-Identifier: MIT
# grade-one.sh NN FOLDER: one hand-in; grade.sh calls it, which says what the
# results are. $CLASS is its folder of what the whole class needs:
#
#   seed       of the inputs; it is on no command line and in no environment
#   zone       of times that name none, unless TZ does; grade.sh sets TZ
#   key        what every check depends on, as digests
#   solutions  those of the solutions among it, which an export deletes
#   build/     the programs, and the stages before, built
#   starter-facts  of the check of all starters on the simulated GPU
#   known/     per kernel, starters and solutions that are worth nothing
#   checked/   per digest of the key and of the files handed in: `in` (these
#              files), report.json, report.txt, `code` (check's exit code),
#              `cpu` (seconds), `files` (digests of all but cpu)
#   seen/      a file per hand-in that this command has looked at; the others'
#              results may be of other points, or of other files
#   work/      what is not finished; emptied when grading begins
#
# The hard idea: a check is kept under what it depends on, in one rename. Equal
# hand-ins are checked once, and points can change without another check.
#
# shellcheck disable=SC2154 # kernels is grade.sh's
. common/cli/lib.sh
. common/cli/graded.sh
. common/cli/feedback.sh
. common/cli/hand-in.sh
. common/cli/quiet.sh
MOST_BYTES=$((1 << 20)) # of a file that is handed in
MOST_FILES=40

put() # KEY VALUE: into the result
{
    printf '%s\t%s\n' "$1" "$2" >>"$work/result" || exit
}

# Into a folder, which is then where its name says, whoever moves it or puts a
# link in its place.
enter() # PARENT NAME
{
    there=$(cd "$1" && pwd -P && echo .)
    cd "$1/$2" 2>/dev/null && [ "$(pwd -P && echo .)" = "${there%??}/$2
." ]
}

# The files that count, copied: no links, no devices, nothing huge, whatever
# their owner does meanwhile. A hand-in may hold the chapter's folder, or
# chapters/ with it. Prints why it is refused; or, with exit code 1, why it
# could not be read.
take_files() # FOLDER
{
    mkdir "$work/in" || return
    if [ ! -d "$1" ] || [ -L "$1" ]; then
        echo "not a folder: a hand-in is a folder with its student's name;" \
            "put this file into one, unpacked if it is an archive; or move" \
            "it elsewhere, if it is no hand-in" && return
    fi
    enter "${1%/*}" "${1##*/}" || {
        echo "the folder cannot be opened"
        return 1
    }
    inner=${chapter##*/}
    [ ! -d "chapters/$inner" ] || inner="chapters $inner"
    for inner in $inner; do # no blanks in these names
        [ ! -d "$inner" ] || [ -L "$inner" ] || enter . "$inner" || {
            echo "$inner cannot be opened"
            return 1
        }
    done
    [ -r . ] || {
        echo "the folder cannot be read"
        return 1
    }
    files=0
    for file in ./*.cu ./*.cuh ./*.h ./*.c; do
        name=${file#./}
        [ -e "$file" ] || [ -L "$file" ] || continue
        files=$((files + 1))
        if [ $files -gt $MOST_FILES ]; then
            echo "more than $MOST_FILES files" && return
        elif [ -L "$file" ] || [ ! -f "$file" ]; then
            printf '%s is not a plain file\n' "$name" && return
        elif [ "$(stat -c %s "$file")" -gt $MOST_BYTES ] ||
            ! copy "$file" "$work/in/$name"; then
            printf '%s has more than %d bytes\n' "$name" $MOST_BYTES && return
        elif [ -s "$work/wrong" ]; then
            printf '%s cannot be copied: %s\n' "$name" "$(cat "$work/wrong")"
            return 1
        fi
    done
    misnamed >"$work/misnamed"
    chmod -R a+rX,u+w "$work/in"
}

# In the hand-in's folder: what may be a file that is missing, or a newer one. A
# browser's second download is `forward (1).cu`.
misnamed()
{
    said=
    for name in $expected; do
        if [ -f "$name" ]; then
            for other in "${name%.*}"*"("*").${name##*.}"; do
                [ ! -f "$other" ] || said="${said:+$said; }$other was not \
read, since $name is there, too"
            done
            continue
        fi
        other=$(find . -maxdepth 1 -type f -iname "*${name%.*}*.c*" \
            ! -name '.*' -printf '%f\n' | grep -vxF "$expected" |
            LC_ALL=C sort | head -n 1)
        [ -z "$other" ] || said="${said:+$said; }$other was not read: it must \
be named $name"
    done
    printf '%s' "$said"
}

# It may have become longer, or a link, since one looked.
copy() # FROM TO
{
    LC_ALL=C dd if="$1" of="$2" bs=$((MOST_BYTES + 1)) count=1 status=none \
        iflag=nofollow,nonblock,fullblock 2>"$work/wrong" ||
        [ -s "$work/wrong" ] || echo "dd failed" >"$work/wrong"
    [ ! -f "$2" ] || [ "$(stat -c %s "$2")" -le $MOST_BYTES ]
}

# What somebody has to unpack.
archives() # FOLDER
{
    find "$1" -maxdepth 2 -type f -iregex \
        '.*[.]\(zip\|7z\|rar\|gz\|tgz\|xz\|bz2\|tar\)' -printf '%f\n' |
        LC_ALL=C sort | head -n 3 | paste -sd ' ' -
}

# The chapter's files that a hand-in lacks.
missing()
{
    for name in $expected; do
        [ -f "$work/in/$name" ] || echo "$name"
    done | paste -sd ' ' -
}

has_a_kernel()
{
    for kernel in $kernels; do
        for file in "$work/in/$kernel".c "$work/in/$kernel".cu; do
            [ ! -f "$file" ] || return 0
        done
    done
    return 1
}

# Into checked/KEY, unless it is there. Not kept: what the machine could not do.
check_it()
{
    ! is_sound "$checked" || return 0
    rm -rf "$checked"
    lost=$(lost_to_memory)
    begun=$(date +%s)
    note_time "$work/begin"
    checked_in_sandbox "$work/in" "$work/report.json" \
        >"$work/report.txt" 2>"$work/progress"
    code=$?
    note_time "$work/end"
    times >"$work/times" # line 2: of what it waited for
    awk -F '[ms ]+' 'NR == 2 { printf "%.2f\n",
        60 * ($1 + $3) + $2 + $4 }' "$work/times" >"$work/cpu"
    cat "$work/progress" >>"$work/report.txt"
    case $code in
    124 | 137)
        if [ $(($(date +%s) - begun)) -lt "$LIMIT" ]; then
            once_more "ended by a signal: is there memory left?"
            return 1
        elif ! was_quiet; then
            once_more "not ended after $LIMIT s, on a machine that has more \
to do, or that stood still"
            return 1
        fi ;;
    *)
        owners=$("$BUILD/bin/check" --facts "$work/report.json" 2>/dev/null |
            awk -F '\t' '$1 ~ /(^|\/)owner$/ { print $2 }')
        [ -n "$(verdict_of $code)" ] || {
            once_more "check ended with exit code $code: $(tail -n 1 \
                "$work/report.txt")"
            return 1
        }
        says_so "$work/report.json" "$code" || {
            once_more "the report is not whole: is the disk full?"
            return 1
        }
        [ "$lost" = "$(lost_to_memory)" ] || [ $code -eq 0 ] || {
            once_more "$(verdict_of $code), while the system ended processes \
for lack of memory"
            return 1
        }
        case $owners in
        *machine*)
            once_more "$(verdict_of $code), and the machine's fault: see \
report.txt"
            return 1 ;;
        *workbook*)
            [ -n "$(unknown_to_the_gpu)" ] || {
                once_more "$(verdict_of $code), and the workbook's fault: see \
report.txt"
                return 1
            } ;;
        esac ;;
    esac
    keep_check
}

# The kernels that stopped at an instruction which the simulated GPU does not
# know, and at which; nothing if anything else is the workbook's fault. To try
# again cannot help, and the other kernels have their verdicts.
unknown_to_the_gpu()
{
    "$BUILD/bin/check" --facts "$work/report.json" 2>/dev/null |
        awk -F '\t' '
            { split($1, path, "/") }
            path[1] != "kernels" { next }
            path[3] == "owner" && $2 == "workbook" { open[path[2]] = 1 }
            path[3] == "evidence" && match($2, \
                /does not know this instruction: [^ ]+/) {
                word = substr($2, RSTART, RLENGTH)
                sub(/.*: /, "", word)
                what[path[2]] = path[2] " (" word ")"
            }
            END {
                for (kernel in open) {
                    if (!(kernel in what)) exit
                    all = all (all ? ", " : "") what[kernel]
                }
                print all
            }'
}

verdict_of() # EXIT-CODE
{
    "$BUILD/bin/check" --facts verdicts |
        awk -v code="$1" '$2 == code { print $1 }'
}

# A report that was cut off has no verdict, or another.
says_so() # REPORT EXIT-CODE
{
    says=$("$BUILD/bin/check" --facts "$1" 2>/dev/null |
        awk -F '\t' '$1 == "verdict" { print $2 }')
    [ -n "$says" ] && [ "$says" = "$(verdict_of "$2")" ]
}

# A check that is kept, and that a power cut has not shortened since.
is_sound() # FOLDER
{
    [ -s "$1/files" ] &&
        (cd "$1" && sha256sum --status -c files 2>/dev/null) || return
    case $(cat "$1/code") in
    124 | 137) ;;
    '') return 1 ;;
    *) says_so "$1/report.json" "$(cat "$1/code")" ;;
    esac
}

keep_check()
{
    mkdir "$work/checked" && echo $code >"$work/checked/code" &&
        no_controls <"$work/report.txt" >"$work/checked/report.txt" &&
        mv "$work/report.json" "$work/cpu" "$work/checked/" &&
        cp -R "$work/in" "$work/checked/in" &&
        (cd "$work/checked" && sha256sum code report.* in/* >files) &&
        sync "$work/checked"/* "$work/checked/in"/* &&
        is_sound "$work/checked" || {
        ungraded "the check could not be kept: is the disk full?"
        return 1
    }
    # Another, of the same files, may have been faster.
    mv -T "$work/checked" "$checked" 2>/dev/null || [ -d "$checked" ]
}

# Kernels that hold what was handed out, or the step before. What alike ends
# with its own limits on is none of these. Fails if somebody else has ended it.
handed_back()
{
    for kernel in $kernels; do
        for file in "$work/in/$kernel".c "$work/in/$kernel".cu; do
            [ -f "$file" ] || continue
            "$BUILD/bin/alike" same "$file" "$CLASS/known/$kernel"/*
            case $? in
            0) printf '%s ' "$kernel" ;;
            126 | 127 | 137) return 1 ;;
            esac
        done
    done
}

# Nothing of a report that is not there, or that a limit of time has cut off. Of
# any other that is not read to its end, no points may come.
take_facts()
{
    "$BUILD/bin/check" --facts "$work/report.json" >"$work/facts" 2>/dev/null
    facts_code=$?
    [ $facts_code -ne 0 ] && [ -s "$work/report.json" ] || return 0
    case $facts_code,$verdict in
    12[6-9],* | 1[3-9]?,* | 2??,*) return 1 ;;
    *,TIMEOUT | *,UNGRADED) ;;
    *) return 1 ;;
    esac
}

ungraded() # REASON
{
    verdict=UNGRADED
    reason=$1
}

# For the machine's sake; grade.sh tries it again when all others are done.
once_more() # REASON
{
    ungraded "$1"
    again=yes
    [ "${ROUND-1}" -eq 1 ] || reason="$reason (tried $ROUND times)"
}

# Processes that the system has ended for lack of memory; nothing: it does not
# say.
lost_to_memory()
{
    sed -n 's/^oom_kill //p' /proc/vmstat 2>/dev/null
}

# Alone, and nobody else had much to do: the limit was the hand-in's.
was_quiet()
{
    [ -n "${ALONE-}" ] && quiet_between "$work/begin" "$work/end"
}

# By a clock that nobody's time zone moves; nothing without a deadline.
days_late()
{
    if [ -n "$DEADLINE" ] && [ -n "$seconds" ]; then
        echo $(((seconds - DEADLINE + 86399) / 86400)) | sed 's/^-.*/0/'
    fi
}

# A line that a full disk does not take ends it: a result has all, or is none.
mark()
{
    take_facts || exit
    untouched=$(handed_back) || once_more \
        "it could not be compared with what was handed out"
    put hand_in "$(one_name "$hand_in")"
    put student "$(one_name "$student")"
    put time "$time"
    put checked "$key"
    put verdict "$verdict"
    put reason "$(one_line "$reason")"
    [ -z "$again" ] || put again $again
    awk -v kernels="$kernels" -v untouched="$untouched" \
        -v days="$(days_late)" -v starter="$CLASS/starter-facts" \
        -f common/cli/points.awk "$POINTS" "$work/facts" >>"$work/result" ||
        exit
    {
        [ -z "$reason" ] || printf '%s\n' "$reason"
        [ "$verdict" = UNGRADED ] || cat "$work/report.txt"
    } 2>/dev/null | clean_text >"$work/feedback.txt" || exit
    if [ "$verdict" = UNGRADED ]; then
        echo "Not graded yet, and that is not your fault." \
            >"$work/feedback.txt"
    else
        feedback_page "Chapter ${number#0}" "$work/result" \
            <"$work/feedback.txt" >"$work/feedback.html" || exit
        awk -F '\t' -v closed="$(awk -f common/cli/points.awk \
            -v value_of=closed "$POINTS")" '
            BEGIN {
                why["UNTOUCHED"] = ": it is what was handed out"
                why["NO_BETTER"] = ": it is no better than what was handed out"
            }
            $1 == "kernel" && $4 == "" {
                printf "%s: %s, of %s points: a person decides\n", $2, $3, $5
                next
            }
            $1 == "kernel" {
                printf "%s: %s, %s of %s points%s\n", $2, $3, $4, $5, why[$3]
            }
            $1 == "late" && $2 > 0 {
                after = ""
                if (closed != "" && $2 > closed + 0)
                    after = ", and closed after " closed
                printf "%s late%s: %s points lost\n",
                    $2 == 1 ? "1 day" : $2 " days", after, $3
            }
            $1 == "sum" { printf "%s of %s points\n", $2, $3 }' \
            "$work/result" >>"$work/feedback.txt" || exit
    fi
    put end .
    put_in_place
}

# By this command, whatever was said of the hand-in before.
seen()
{
    : >"$CLASS/seen/$hand_in"
}

one_line()
{
    printf %s "$1" | tr '\t\n\r' '   '
}

# Each in one rename, the result last. Half a result is none.
put_in_place()
{
    [ "$(tail -n 1 "$work/result")" = "end	." ] || exit
    set --
    for file in report.txt report.json feedback.txt feedback.html result; do
        [ ! -s "$work/$file" ] || set -- "$@" "$work/$file"
    done
    sync "$@" || exit
    to=$TO/reports/$hand_in
    mkdir -p "$to" || exit
    for file in report.txt report.json feedback.txt feedback.html result; do
        if [ -s "$work/$file" ]; then
            mv "$work/$file" "$to/$file" || exit
        else
            rm -f "$to/$file"
        fi
    done
}

is_marked()
{
    awk -F '\t' -v marked="$marked" '
        $1 == "marked" { same = $2 == marked }
        $1 == "verdict" && $2 == "UNGRADED" { same = 0 }
        { is_whole = $1 == "end" }
        END { exit !(same && is_whole) }' "$old" 2>/dev/null
}

number=$1
hand_in=${2##*/}
chapter=$(chapter_dir chapter "$number")
kill -0 "$GRADE_PID" 2>/dev/null || exit 255 # xargs ends
old=$TO/reports/$hand_in/result
# Of another hand-in, for all that is known.
work=$(mktemp -d "$CLASS/work/XXXXXX") || { rm -f "$old"; exit 1; }
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
split_name "$hand_in"
expected=$(kernels "$chapter" | sed 's|.*/||')
unread=
refused=$(take_files "$2") || unread=${refused:-cannot be read}
key=$({
    cat "$CLASS/key"
    printf '%s\n' "$refused"
    (cd "$work/in" && sha256sum -- * 2>/dev/null)
} | sha256sum | cut -c1-64)
misnamed=$(cat "$work/misnamed" 2>/dev/null)
marked=$({
    cat "$CLASS/points-key"
    echo "$key $seconds $misnamed"
} | sha256sum | cut -c1-64)
! is_marked || { seen; exit; }
rm -f "$old"
put marked "$marked"
checked=$CLASS/checked/$key
verdict='' reason='' again=''
if [ -n "$unread$no_time" ]; then
    ungraded "${unread:-$no_time}"
elif [ -n "$refused" ]; then
    verdict=REFUSED
    reason=$refused
elif ! has_a_kernel; then
    verdict=BUILD
    reason="none of the chapter's files was handed in: $(echo $expected)"
    deeper=$(find "$2" -mindepth 2 -maxdepth 4 -name '*.cu' 2>/dev/null |
        wc -l)
    [ "$deeper" -eq 0 ] ||
        reason="$reason; $deeper .cu in folders of other names were not read"
    [ -z "$misnamed" ] || reason="$reason; $misnamed"
    packed=$(archives "$2")
    [ -z "$packed" ] || reason="$reason; it was not unpacked: $packed"
elif check_it; then
    reason=$misnamed
    missing=$(missing)
    [ -z "$missing" ] ||
        reason="${reason:+$reason; }not handed in: $missing"
    cp "$checked/report.txt" "$checked/report.json" "$work/" || exit
    verdict=$(verdict_of "$(cat "$checked/code")")
    [ -n "$verdict" ] || {
        verdict=TIMEOUT
        reason="${reason:+$reason; }stopped after $LIMIT s, many times what \
the solution takes"
    }
    unknown=$(unknown_to_the_gpu)
    [ -z "$unknown" ] || reason="${reason:+$reason; }an instruction that the \
simulated GPU does not know, which may be right; a person decides: $unknown"
fi
mark
seen
