#!/bin/sh
# SPDX-License-Identifier: MIT
# grade.sh grade NN: checks a class's hand-ins of a chapter, each in a sandbox.
#
#   FROM=students/   a folder per student, with the chapter's files in it
#   TO=grades/NN     where the results go; the default
#   JOBS=            how many at a time; one per processor
#   POINTS=file      what a verdict is worth: common/cli/points
#   SEED=            of the inputs; drawn once for TO, and the same for all
#   ON=slurm         as jobs of a cluster: slurm.sh
#   SANDBOX=file     a script instead of sandbox.sh, called as it is
#
# For slurm.sh, in the environment that `grade` leaves: grade.sh names NN prints
# the hand-ins' paths, each ended by a NUL; grade.sh slice NN grades those in
# the file $STUDENTS, without a table.
#
# Per student, in TO/STUDENT: report.json and report.txt, for the grader;
# feedback.txt, for the student, without the seed; `result`, lines of KEY, tab,
# VALUE, which is there when all else is. TO/gradebook.csv has a row for each
# folder of FROM, graded or not, and so has the table that is printed.
#
# It may be ended at any moment and called again: what was graded stays, unless
# the hand-in, the workbook, the seed or POINTS has changed. Exit code 1: some
# hand-ins could not be graded, which is never the student's fault.
. common/cli/lib.sh
here=common/cli
MOST_BYTES=$((1 << 20)) # of a file that is handed in
MOST_FILES=40
# A hand-in may take so many times as long as the solution, and at least that
# many seconds.
PATIENCE=20
LEAST=300

# One hand-in ------------------------------------------------------------------

put() # KEY VALUE: into the result
{
    printf '%s\t%s\n' "$1" "$2" >>"$work/result"
}

# The files that count, copied: no links, no devices, nothing huge.
take_files() # FOLDER
{
    mkdir "$work/in"
    files=0
    for file in "$1"/*.cu "$1"/*.cuh "$1"/*.h "$1"/*.c; do
        name=${file##*/}
        [ -e "$file" ] || [ -L "$file" ] || continue
        if [ -L "$file" ] || [ ! -f "$file" ]; then
            echo "$name is not a plain file" && return
        elif [ ! -r "$file" ]; then
            echo "$name cannot be read" && return
        elif [ "$(wc -c <"$file")" -gt $MOST_BYTES ]; then
            echo "$name has more than $MOST_BYTES bytes" && return
        fi
        files=$((files + 1))
        [ $files -le $MOST_FILES ] || {
            echo "more than $MOST_FILES files"
            return
        }
        cp -- "$file" "$work/in/$name" || echo "$name cannot be copied"
    done
}

# What the grade depends on.
key()
{
    {
        cat "$TO/.key"
        (cd "$work/in" && sha256sum -- * 2>/dev/null)
    } | sha256sum | cut -c1-64
}

# A text without comments, blanks and #includes, as a digest; "none" if nothing
# is left.
digest()
{
    text=$(sed -e 's|//.*||' -e '/^ *#include/d' | tr -d ' \t\r\n')
    if [ -n "$text" ]; then
        printf %s "$text" | sha256sum | cut -c1-64
    else
        echo none
    fi
}

# What was handed out: digests of the starters and of what is in their holes,
# with the path.
known_texts()
{
    for file in chapters/[0-9][0-9]-*/*.c*; do
        case $file in *.conf) continue ;; esac
        starter "$file" >"$TO/.one" 2>/dev/null || continue
        echo "$(digest <"$TO/.one") $file"
        echo "$(holes inside "$TO/.one" | cut -f 2- | digest) $file"
    done
    rm -f "$TO/.one"
}

# Kernels that hold nothing but a starter: their own, or another's, which is the
# solution of a step before it.
handed_back()
{
    for kernel in $kernels; do
        for file in "$work/in/$kernel".c*; do
            [ -f "$file" ] || continue
            for text in "$(digest <"$file")" \
                "$(holes inside "$file" | cut -f 2- | digest)"; do
                [ "$text" != none ] && grep -q "^$text " "$TO/.texts" &&
                    echo "$kernel"
            done
        done
    done | sort -u | paste -sd ' ' -
}

# For the student: no seed, no line that repeats a case by it, no codes.
feedback()
{
    tr -d '\000-\010\013-\037\177' <"$work/report.txt" |
        sed -e '/^the hand-in: /d' -e '/^ *repeat /d' -e 's/ Seed [0-9]*,//' \
            -e 's/SEED=[0-9]*/SEED=.../g' -e 's|/handin/||g; s|/workbook/||g'
}

# Points, then the result under its name: from here on it is graded.
finish() # VERDICT REASON
{
    put verdict "$1"
    put reason "$2"
    "$BUILD/bin/check" --facts "$work/report.json" >"$work/facts" \
        2>/dev/null
    awk -v kernels="$kernels" -v untouched="$(handed_back)" \
        -f $here/points.awk "$POINTS" "$work/facts" >>"$work/result"
    if [ -n "$2" ]; then
        echo "$2" >"$work/report.txt"
    fi
    feedback >"$work/feedback.txt"
    awk -F '\t' '
        $1 == "kernel" { printf "%s: %s, %s of %s points\n", $2, $3, $4, $5 }
        $1 == "sum" { printf "%s of %s points\n", $2, $3 }' "$work/result" \
        >>"$work/feedback.txt"
    to=$TO/$student
    mkdir -p "$to" && rm -f "$to/result" || return
    for file in report.txt feedback.txt; do
        cp "$work/$file" "$to/$file" || return
    done
    [ ! -s "$work/report.json" ] ||
        cp "$work/report.json" "$to/report.json" || return
    cp "$work/result" "$to/.result" && mv "$to/.result" "$to/result"
}

verdict_of() # EXIT-CODE
{
    "$BUILD/bin/check" --facts verdicts |
        awk -v code="$1" '$2 == code { print $1 }'
}

# The machine's or the workbook's fault, or the verdict.
judge() # EXIT-CODE
{
    word=$(verdict_of "$1")
    owner=$("$BUILD/bin/check" --facts "$work/report.json" 2>/dev/null |
        awk -F '\t' '$1 == "owner" { print $2 }')
    case $1,$owner in
    124,* | 137,*)
        finish TIMEOUT "stopped after $LIMIT s, $PATIENCE times what the \
solution takes or more" ;;
    *,machine | *,workbook)
        finish UNGRADED "$word, and the $owner's fault: see report.txt" ;;
    *)
        if [ -n "$word" ]; then
            finish "$word" ''
        else
            finish UNGRADED "check ended with exit code $1: $(tail -n 1 \
                "$work/report.txt")"
        fi ;;
    esac
}

one() # FOLDER
{
    student=${1##*/}
    work=$(mktemp -d) || exit
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    if [ ! -d "$1" ] || [ -L "$1" ]; then
        reason="not a folder"
        mkdir "$work/in"
    else
        reason=$(take_files "$1")
    fi
    key=$(key)
    [ "$key" != "$(awk -F '\t' '
        $1 == "key" { key = $2 }
        $1 == "verdict" && $2 == "UNGRADED" { again = 1 }
        END { if (!again) print key }' "$TO/$student/result" 2>/dev/null)" ] ||
        return 0
    put key "$key"
    if [ -n "$reason" ]; then
        finish REFUSED "$reason"
        return
    fi
    ls "$work/in" >"$work/names"
    for kernel in $kernels; do
        grep -q "^$kernel\.c" "$work/names" && found=yes
    done
    [ -n "${found-}" ] || {
        finish BUILD "none of the chapter's files was handed in: $kernels"
        return
    }
    # Neither the seed nor the report is where a stage could reach it.
    timeout -k 10 "$LIMIT" sh "$SANDBOX" "$work/in" \
        build/bin/check chapter "${number#0}" --build build --root . \
        --src /handin --grade --device "${DEVICE:-sim}" --seed - \
        --json fd:9 >"$work/report.txt" 2>"$work/progress" \
        9>"$work/report.json" <"$TO/.seed"
    code=$?
    cat "$work/progress" >>"$work/report.txt"
    judge $code
}

# The class --------------------------------------------------------------------

row() # FOLDER: its fields, by tabs; names keep no tab and no line's end
{
    name=$(printf %s "${1##*/}" | tr '\t\n' '  ')
    if [ -f "$TO/${1##*/}/result" ]; then
        awk -F '\t' -v name="$name" -v kernels="$kernels" '
            { value[$1] = $2 }
            $1 == "kernel" { of[$2] = $3 "\t" $4 }
            $1 == "sum" { sum = $2 }
            END {
                graded = value["verdict"] != "UNGRADED"
                printf "%s\t%s\t%s", name, value["verdict"], graded ? sum : ""
                n = split(kernels, k, " ")
                for (i = 1; i <= n; i++)
                    printf "\t%s", k[i] in of ? of[k[i]] : "\t"
                printf "\t%s\n", value["reason"]
            }' "$TO/${1##*/}/result"
    else
        printf '%s\tUNGRADED\t' "$name"
        for kernel in $kernels; do printf '\t\t'; done
        printf '\tended before it was graded\n'
    fi
}

gradebook()
{
    {
        printf 'student\tverdict\tpoints'
        for kernel in $kernels; do
            printf '\t%s\t%s points' "$kernel" "$kernel"
        done
        printf '\treason\n'
        for folder in "$FROM"/*; do
            row "$folder"
        done
    } >"$TO/.table"
    awk -F '\t' '{
        for (i = 1; i <= NF; i++) {
            field = $i
            gsub(/"/, "\"\"", field)
            # A spreadsheet takes what begins so for a formula.
            if (field ~ /^[=+@-]/) field = "\x27" field
            if (field ~ /[",\x27 ]/) field = "\"" field "\""
            printf "%s%s", field, i < NF ? "," : "\r\n"
        }
    }' "$TO/.table" >"$TO/.gradebook" && mv "$TO/.gradebook" "$TO/gradebook.csv"
    awk -F '\t' '{ printf "%-32s %-16s %6s  %s\n", $1, $2, $3, $NF }' \
        "$TO/.table"
    rm -f "$TO/.table"
}

prepare()
{
    [ -n "$FROM" ] || die \
        "make grade needs the hand-ins, a folder per student:" \
        "    make grade ${number#0} FROM=students/"
    [ -d "$FROM" ] || die "FROM=$FROM: there is no such folder"
    [ -n "$(ls "$FROM")" ] || die "FROM=$FROM is empty"
    [ -f "$POINTS" ] || die "POINTS=$POINTS: there is no such file"
    case ${ON-} in
    '' | slurm) ;;
    *) die "ON=$ON: jobs run here, or ON=slurm" ;;
    esac
    mkdir -p "$TO" || die "cannot make TO=$TO"
    [ -w "$TO" ] || die "cannot write to TO=$TO"
    mkdir -p "$BUILD/grade/empty"
    sh "$SANDBOX" "$BUILD/grade/empty" true || die \
        "make grade runs what students wrote, and only in a sandbox." \
        "Install bubblewrap, or grade on a system that allows namespaces."
    if [ -n "$SEED" ]; then
        echo "$SEED" >"$TO/.seed"
    elif [ ! -s "$TO/.seed" ]; then
        od -An -N4 -tu4 /dev/urandom | tr -d ' ' >"$TO/.seed"
    fi
    chmod 600 "$TO/.seed"
    SEED=$(cat "$TO/.seed")
}

# The reference must pass with this seed here, and leaves the stage before it
# built: no hand-in is blamed for what is wrong with the machine.
try_reference()
{
    echo "The solution first, with the seed of this class." >&2
    began=$(date +%s)
    ${ON:+sh $here/$ON.sh --run} \
        "$BUILD/bin/check" solution "${number#0}" --build "$BUILD" --root . \
        --grade --device "${DEVICE:-sim}" --seed - <"$TO/.seed" \
        >"$TO/.reference.txt" 2>&1 && {
        echo $(($(date +%s) - began)) >"$TO/.reference"
        return
    }
    cat "$TO/.reference.txt" >&2
    die "" "The solution itself does not pass here: nothing was graded."
}

# The stages of other chapters that these kernels are timed against, built.
# Those of this one would be its solutions.
stages_before()
{
    for before in $(solutions_before "$chapter"); do
        case $before in "solutions/$number-"*) continue ;; esac
        before=${before#solutions/}
        stage=${before%%-*}/$(basename "${before%.*}").so
        [ ! -f "$BUILD/stage/solution/$stage" ] || echo "$stage"
    done | sort -u | paste -sd ' ' -
}

# The hand-ins' paths, each ended by a NUL: all, or those in $STUDENTS.
names()
{
    if [ -n "${STUDENTS-}" ]; then
        cat "$STUDENTS"
    else
        find "$FROM" -mindepth 1 -maxdepth 1 ! -name '.*' -print0 | sort -z
    fi
}

slice()
{
    names | xargs -0 -P "$JOBS" -I '{}' \
        sh $here/grade.sh --one "$number" '{}'
}

grade()
{
    prepare
    {
        find "$BUILD/bin" "$BUILD/simgpu" "$BUILD/harness" common/op \
            "$chapter" -type f | sort | xargs sha256sum
        sha256sum <"$POINTS"
        "$CUDA_HOME/bin/nvcc" --version 2>/dev/null
        echo "$SEED ${DEVICE:-sim}"
    } >"$TO/.key.new"
    if ! cmp -s "$TO/.key.new" "$TO/.key"; then
        try_reference
        mv "$TO/.key.new" "$TO/.key"
    fi
    LIMIT=$(($(cat "$TO/.reference") * PATIENCE))
    [ $LIMIT -ge $LEAST ] || LIMIT=$LEAST
    STAGES=$(stages_before)
    known_texts >"$TO/.texts"
    unset SEED # its environment can be read
    export FROM TO POINTS DEVICE LIMIT STAGES JOBS
    total=$(find "$FROM" -mindepth 1 -maxdepth 1 ! -name '.*' | wc -l)
    begin=$(date +%s)
    case ${ON-} in
    '') slice & ;;
    *) sh "$here/$ON.sh" "$number" & ;;
    esac
    jobs=$!
    trap 'stop; exit 130' INT TERM
    watch_over &
    watcher=$!
    wait $jobs
    kill $watcher 2>/dev/null
    gradebook
    ! cut -d , -f 2 "$TO/gradebook.csv" | grep -q '^UNGRADED' || {
        echo "Some could not be graded; the last column says why." \
            "The same command tries them again." >&2
        exit 1
    }
    echo "$TO/gradebook.csv; a folder per student beside it"
}

# All that runs below, then what is known by now.
stop()
{
    trap '' INT TERM
    kill "$watcher" 2>/dev/null
    # shellcheck disable=SC2046 # numbers
    kill $(descendants "$jobs") "$jobs" 2>/dev/null
    wait "$jobs"
    gradebook
    echo "Stopped. The same command goes on from here." >&2
}

descendants() # PID
{
    cat /proc/"$1"/task/*/children 2>/dev/null | tr ' ' '\n' | grep . |
        while read -r child; do
            echo "$child"
            descendants "$child"
        done
}

# A line now and then: how many, and how long the rest may take.
watch_over()
{
    [ -t 2 ] || return
    while sleep 5; do
        ready=$(find "$TO" -name result -newer "$TO/.key" | wc -l)
        spent=$(($(date +%s) - begin))
        [ "$ready" -eq 0 ] ||
            printf '\r%d of %d graded, about %d min left ' "$ready" "$total" \
                $((spent * (total - ready) / ready / 60 + 1)) >&2
    done
}

number=$2
SANDBOX=${SANDBOX:-$here/sandbox.sh}
if [ "$1" = grade ]; then
    TO=${TO:-grades/$number}
    FROM=${FROM%/}
    POINTS=${POINTS:-$here/points}
    JOBS=${JOBS:-$(nproc)}
fi
chapter=$(chapter_dir chapter "$number")
kernels=$(ordered "$chapter" | sed 's|.*/||; s|\.[^.]*$||' | paste -sd ' ' -)
case $1 in
grade) grade ;;
names) names ;;
slice) slice ;;
--one) one "$3" ;; # --one NN FOLDER
esac
