#!/bin/sh
# SPDX-License-Identifier: MIT
#
# handins.sh: checks hand-ins whose verdict is known, as TAP.
#
#   handins.sh FOLDER [sim|gpu] [NAME...]   gpu: those that need one, or NAMEs
#   handins.sh --hand-in FILE FOLDER    only writes the files to hand in
#
# A case is one .cu file in FOLDER (.c for a timer, .diff for a solution with a
# few lines changed). Its first comment lines declare it:
#
#   // mutant: a description of one line (or mistake:, cheat:, honest:)
#   // chapter: 05 forward      it poses as this chapter's forward.cu
#   // expect: WRONG unwritten  verdict (A|B: either), then the kind, if any
#   // say: REGEX               the report says this (repeatable, any case)
#   // shape: B1 H1 L4 K2       only this shape (default: all of them)
#   // also: 14 quads, 14 loads it passes the gates of these kernels, too, and
#                               is right at the shape that they are for
#   // device: gpu              needs a GPU: skipped unless asked for
#   // patience: 10             seconds until its host code hangs, not 60
#   // whole: WHY               the chapter's other kernels are checked after it
#   // since: 12.0 WHY          skipped with an older CUDA toolkit
#   // grade: WHY               checked as a hand-in that is graded
#   // again: WHY               CASE=, as the report has it, gives this verdict
#
# Inputs are drawn from SEED, 1 by default, so that a suite that passed passes
# again; SEED=random draws others, which is worth a run now and then.
#
# The rest is a whole kernel file or, where a line begins with `//> todo NAME`,
# only the contents of those holes: all else is the reference solution's. In a
# .diff it is what `diff -u` says of a file of solutions/, which fits without
# fuzz. The solution's other kernels, which tests/chapters checks, are left out.
#
# Each case has a build folder of its own under $BUILD, so cases may run at once
# (JOBS), and $LIMIT seconds; the stages before it, all solutions, are built
# once. CHECK names the program; the tests of this script pass a stand-in.
#
# The hard idea: no case can pass by accident. The exit code, the JSON file and
# the text must agree; a malformed expectation is a failure, and so are a
# process that the hand-in left behind, escape codes, or a flood in the report.
#
# There are hundreds of cases, so what the shell can do itself is left to it: a
# process that only reads a line costs as much as the check of a small kernel.
set -u

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
here=$(cd "$here" && pwd)
root=${here%/*}
BUILD=${BUILD:-$root/build}
case $BUILD in /*) ;; *) BUILD=$root/$BUILD ;; esac
CHECK=${CHECK:-$BUILD/bin/check}
JOBS=${JOBS:-$(($(nproc) + 1))} # one more: some cases only wait
LIMIT=${LIMIT:-240}
SEED=${SEED:-1}
[ "$SEED" = random ] && SEED=
export BUILD CHECK JOBS LIMIT SEED
. "$here/arch.sh"
[ -n "${NVCC_APPEND_FLAGS-}" ] || . "$here/nvcc.sh"

# Each verdict and its exit code.
VERDICTS=${VERDICTS:-$("$CHECK" --facts verdicts)}
export VERDICTS

# exit_code VERDICT
exit_code() {
    while read -r word number _; do
        [ "$word" != "$1" ] || echo "$number"
    done <<END
$VERDICTS
END
}

# verdict_of EXIT-CODE
verdict_of() {
    while read -r word number _; do
        [ "$number" != "$1" ] || echo "$word"
    done <<END
$VERDICTS
END
}

# declared FILE KEY: the values of its `// KEY: value` lines, one per line.
declared() {
    while IFS= read -r line; do
        case $line in
        "// $2:"*)
            value=${line#"// $2:"}
            printf '%s\n' "${value#"${value%%[! ]*}"}"
            ;;
        //*) ;;
        *) return 0 ;;
        esac
    done <"$1"
}

# described FILE: what its line `// mutant:` says, or of whichever suite it is.
described() {
    for key in mutant mistake cheat honest; do declared "$1" "$key"; done
}

# expected_codes "WRONG|CRASH": "17 13"; nothing if one is no verdict.
expected_codes() {
    codes=
    words=$1
    while [ -n "$words" ]; do
        code=$(exit_code "${words%%|*}")
        [ -n "$code" ] || return
        codes="$codes $code"
        case $words in *"|"*) words=${words#*|} ;; *) words= ;; esac
    done
    echo "$codes"
}

# Processes that still have a file of this folder mapped or open.
left_behind() {
    grep -lF "$1/" /proc/[0-9]*/maps 2>/dev/null | sed 's|/maps$||'
}

# On a GPU a reason begins with the share of the roof that was reached.
without_share() {
    sed 's/Its roof on this GPU is [^,]*, and it reaches [0-9]* % of that\. //'
}

# judge FILE CODE FOLDER: prints what is wrong with the outcome.
judge() {
    expect=$(declared "$1" expect)
    verdict=${expect%% *}
    kind=${expect#"$verdict"}
    codes=$(expected_codes "$verdict")
    if [ -z "$codes" ]; then
        echo "the case declares no verdict that exists: '$expect'"
        return
    fi
    if [ "$2" -eq 124 ] || [ "$2" -eq 137 ]; then
        echo "check did not end within $LIMIT s"
        return
    fi
    got=$(verdict_of "$2")
    case " $codes " in
    *" $2 "*) ;;
    *) echo "expected $verdict, got ${got:-no verdict} (exit code $2)" ;;
    esac
    if [ -n "$got" ] &&
        ! "$CHECK" --facts "$3/report.json" 2>/dev/null |
            grep -qx "verdict	$got"; then
        echo "the JSON report does not say $got"
    fi
    { [ -z "$kind" ] || echo "${kind# }"; declared "$1" say; } |
        while read -r words; do
            tr -s ' \n' '  ' <"$3/report.txt" | without_share |
                grep -Eiq -- "$words" ||
                echo "the report does not say: $words"
        done
    if grep -q "$(printf '\033')" "$3/report.txt"; then
        echo "the report, which is no terminal's, holds escape codes"
    fi
    if [ "$(wc -l <"$3/report.txt")" -gt 200 ]; then
        echo "the report has more than 200 lines"
    fi
    for process in $(left_behind "$3"); do
        echo "left a process behind: ${process#/proc/}"
        kill -KILL "${process#/proc/}"
    done
}

# fill_holes CASE SOLUTION: the solution with CASE's holes in place of its own.
# Fails when the solution has no hole of that name.
fill_holes() {
    awk -v mode=splice -f "$root/common/cli/holes.awk" "$1" "$2"
}

# hand_in_as FILE FOLDER NUMBER KERNEL: the learner's folder, with FILE in the
# place of that kernel of chapter NUMBER.
hand_in_as() ( # a subshell: its variables are its own
    file=$1
    folder=$2
    number=$3
    changed=$1
    case $file in *.diff) changed=$root/$(sed -n 's|^--- a/||p' "$file") ;; esac
    kernel=$4.${changed##*.}
    set --
    for solved in "$root/solutions/$number"-*/*.cu \
        "$root/solutions/$number"-*/*.c; do
        [ ! -f "$solved" ] || set -- "$@" "$solved"
    done
    [ $# -gt 0 ] && cp "$@" "$folder/"
    [ -f "$folder/$kernel" ] || exit 1
    if [ "${file##*.}" = diff ]; then
        rm "$folder/$kernel" &&
            patch -s -F 0 -r - -o "$folder/$kernel" "$changed" "$file"
    elif grep -q '^[[:blank:]]*//> todo' "$file"; then
        fill_holes "$file" "$root/solutions/$number"-*/"$kernel" \
            >"$folder/$kernel"
    else
        cp "$file" "$folder/$kernel"
    fi
)

# first_shape NUMBER KERNEL: the one that the kernel's gates are for.
first_shape() {
    awk -v kernel="[$2]" '/^\[/ { here = $0 == kernel }
        here && sub(/^sim_shapes = /, "") { sub(/;.*/, ""); print }' \
        "$root/chapters/$1"-*/chapter.conf
}

# same_build STAGES FROM TO KERNEL: a source that was built as FROM, a chapter
# and a kernel, need not be built again as chapter TO's KERNEL. check builds it
# anyway if one is for another GPU.
same_build() {
    for stage in "$1"/src-*; do
        [ -f "$stage/${2% *}/${2#* }.key" ] || continue
        mkdir -p "$stage/$3"
        for built in "$stage/${2% *}/${2#* }".*; do
            [ ! -f "$built" ] || cp "$built" "$stage/$3/$4.${built##*.}"
        done
        sed "s|/${2#* }\.cu|/$4.cu|" "$stage/${2% *}/${2#* }.key" \
            >"$stage/$3/$4.key"
    done
}

# also FILE FOLDER DEVICE: checks FILE as each kernel that it also poses as;
# prints what is wrong.
also() {
    read -r number kernel <<END
$(declared "$1" chapter)
END
    from="$number $kernel"
    declared "$1" also | tr ',' '\n' | while read -r number kernel; do
        rm -rf "$2/src"
        mkdir -p "$2/src"
        if ! hand_in_as "$1" "$2/src" "$number" "$kernel"; then
            echo "as $number $kernel: there is no such kernel"
            continue
        fi
        same_build "$2/stage" "$from" "$number" "$kernel"
        timeout -k 5 "$LIMIT" "$CHECK" chapter "$number" --src "$2/src" \
            --kernel "$kernel" --device "$3" --build "$2" --root "$root" \
            --json "$2/also.json" --jobs 1 --brief --case 0 \
            --shape "$(first_shape "$number" "$kernel")" \
            ${SEED:+--seed "$SEED"} >"$2/also.txt" 2>&1 </dev/null && continue
        echo "as $number $kernel: $(grep -m 1 '^[A-Z]*  ' "$2/also.txt")"
        cat "$2/also.txt" >>"$2/report.txt"
    done
}

# again FILE FOLDER DEVICE: checks the case alone that the report names; prints
# what is wrong.
again() {
    [ -n "$(declared "$1" again)" ] || return
    case=$(sed -n 's/^    repeat .* CASE=\([0-9]*\).*/\1/p' "$2/report.txt")
    read -r number kernel <<END
$(declared "$1" chapter)
END
    timeout -k 5 "$LIMIT" "$CHECK" chapter "$number" --src "$2/src" \
        --kernel "$kernel" --device "$3" --build "$2" --root "$root" \
        --json "$2/again.json" --jobs 1 --case "${case:-none}" \
        ${SEED:+--seed "$SEED"} >"$2/again.txt" 2>&1 </dev/null
    got=$(verdict_of $?)
    [ "$got" = "$(declared "$1" expect)" ] || echo "CASE=$case gives $got"
}

# hand_in FILE FOLDER: the same, in the place that FILE declares.
hand_in() {
    read -r number kernel <<END
$(declared "$1" chapter)
END
    hand_in_as "$1" "$2" "$number" "$kernel"
}

# run_case SUITE DEVICE INDEX FILE: prints its TAP lines.
run_case() {
    name=${4##*/}
    name=${name%.*}
    title="$name: $(described "$4")"
    if [ "$2" = sim ] && [ "$(declared "$4" device)" = gpu ]; then
        echo "ok $3 - $title # SKIP needs a GPU"
        return
    fi
    read -r number kernel <<END
$(declared "$4" chapter)
END
    why=$(cd "$root" && too_new "$number")
    why=${why:-$(cd "$root" && too_old "$(declared "$4" since)")}
    if [ -n "$why" ]; then
        echo "ok $3 - $title # SKIP $why"
        return
    fi
    # No name in the path: the report shows it, and must not say the words.
    dir=$(echo "$1/$name" | cksum)
    dir=$BUILD/handins/${dir%% *}
    rm -rf "$dir/src" "$dir/report.txt" "$dir/report.json"
    mkdir -p "$dir/src" "$dir/stage" "$BUILD/stage/solution"
    ln -sfn "$BUILD/bin" "$BUILD/simgpu" "$BUILD/vclock" "$BUILD/harness" \
        "$dir/"
    ln -sfn "$BUILD/stage/solution" "$dir/stage/"
    if ! said=$(hand_in "$4" "$dir/src" 2>&1); then
        echo "not ok $3 - $title"
        [ -z "$said" ] || echo "$said" | sed 's/^/# /'
        echo "# no hand-in: is its chapter solved, with holes of that name," \
            "or lines as its diff has them?"
        return
    fi
    shape=$(declared "$4" shape)
    patience=$(declared "$4" patience)
    [ -z "$(declared "$4" whole)" ] || kernel=
    grade=
    [ -z "$(declared "$4" grade)" ] || grade=--grade
    # Why a kernel is slow, and where, is known from its predicted time alone.
    case $(declared "$4" say) in
    *why* | *where*) brief= ;;
    *) brief=--brief ;;
    esac
    timeout -k 5 "$LIMIT" "$CHECK" chapter "$number" --src "$dir/src" \
        ${kernel:+--kernel "$kernel"} $grade --device "$2" --build "$dir" \
        --root "$root" --json "$dir/report.json" \
        --remember "$BUILD/predicted" --jobs 1 $brief \
        ${shape:+--shape "$shape"} ${SEED:+--seed "$SEED"} \
        ${patience:+--patience "$patience"} \
        >"$dir/report.txt" 2>&1 </dev/null
    problems=$(judge "$4" $? "$dir"; again "$4" "$dir" "$2"
        also "$4" "$dir" "$2")
    if [ -z "$problems" ]; then
        echo "ok $3 - $title"
        return
    fi
    echo "not ok $3 - $title"
    { echo "$problems"; echo "in $dir"; cat "$dir/report.txt"; } |
        cut -c -200 | head -n 60 | sed 's/^/# /'
}

case ${1-} in
--one) shift; run_case "$@"; exit ;;
--hand-in) shift; hand_in "$@"; exit ;;
esac

if [ ! -d "${1-}" ]; then
    echo "usage: handins.sh FOLDER [sim|gpu] [NAME...]" >&2
    exit 2
fi
folder=$1
suite=$(cd "$folder" && pwd)
suite=${suite##*/}
shift
device=sim
case ${1-} in sim | gpu) device=$1; shift ;; esac

results=$(mktemp -d)
runner=
trap 'rm -rf "$results"' EXIT
trap '[ -z "$runner" ] || kill "$runner" 2>/dev/null; exit 130' INT TERM

# One file per line.
for file in "$folder"/*.cu "$folder"/*.c "$folder"/*.diff; do
    [ -f "$file" ] || continue
    name=${file##*/}
    name=${name%.*}
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    [ "$device$*" = gpu ] && [ "$(declared "$file" device)" != gpu ] && continue
    echo "$file"
done >"$results/list"
count=$(wc -l <"$results/list")
echo "1..$count"
[ "$count" -gt 0 ] || { echo "# no case matches"; exit 1; }

# Results appear in order, each as soon as those before it are there.
# shellcheck disable=SC2016  # expanded by the inner shell
seq "$count" | xargs -P "$JOBS" -n 1 sh -c '
    file=$(sed -n "$4p" "$3/list")
    sh "$0" --one "$1" "$2" "$4" "$file" >"$3/$4.part"
    mv "$3/$4.part" "$3/$4"
' "$here/handins.sh" "$suite" "$device" "$results" &
runner=$!

failed=0
index=1
pause=0.2 # with several cases, nobody waits for one
while [ "$index" -le "$count" ]; do
    if [ -f "$results/$index" ]; then
        while IFS= read -r line; do
            printf '%s\n' "$line"
            case $line in "not ok"*) failed=$((failed + 1)) ;; esac
        done <"$results/$index"
        index=$((index + 1))
        pause=1
    elif kill -0 "$runner" 2>/dev/null; then
        sleep $pause
    else
        [ -f "$results/$index" ] && continue
        echo "not ok $index - ended without a result"
        failed=$((failed + 1))
        index=$((index + 1))
    fi
done
[ "$failed" -eq 0 ]
