#!/bin/sh
# SPDX-License-Identifier: MIT
#
# handins.sh: checks hand-ins whose verdict is known, as TAP.
#
#   handins.sh FOLDER [sim|gpu] [NAME...]
#   handins.sh --hand-in FILE FOLDER    only writes the files to hand in
#
# A case is one .cu file in FOLDER (.c for a timer). Its first comment lines
# declare it:
#
#   // mutant: a description of one line (or mistake:, cheat:, honest:)
#   // chapter: 05 forward      it poses as this chapter's forward.cu
#   // expect: WRONG unwritten  verdict (A|B: either), then the kind, if any
#   // say: REGEX               the report says this (repeatable, any case)
#   // shape: B1 H1 L4 K2       only this shape (default: all of them)
#   // device: gpu              needs a GPU: skipped unless asked for
#   // patience: 10             seconds until its host code hangs, not 60
#   // whole: WHY               the chapter's other kernels are checked after it
#   // since: 12.0 WHY          skipped with an older CUDA toolkit
#
# Inputs are drawn from SEED, 1 by default, so that a suite that passed passes
# again; SEED=random draws others, which is worth a run now and then.
#
# The rest is a whole kernel file or, where a line begins with `//> todo NAME`,
# only the contents of those holes: all else is the reference solution's. Its
# other kernels, which tests/chapters checks, are left out. Each case has a
# build folder of its own under $BUILD, so cases may run at once (JOBS), and
# $LIMIT seconds; the stages before it, all solutions, are built once. CHECK
# names the program; the tests of this script pass a stand-in.
#
# The hard idea: no case can pass by accident. The exit code, the JSON file and
# the text must agree; a malformed expectation is a failure, and so are a
# process that the hand-in left behind, escape codes, or a flood in the report.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
BUILD=${BUILD:-$root/build}
case $BUILD in /*) ;; *) BUILD=$root/$BUILD ;; esac
CHECK=${CHECK:-$BUILD/bin/check}
JOBS=${JOBS:-$(($(nproc) + 1))} # one more: some cases only wait
LIMIT=${LIMIT:-240}
SEED=${SEED:-1}
[ "$SEED" = random ] && SEED=
export BUILD CHECK JOBS LIMIT SEED
. "$here/arch.sh"

# Each verdict and its exit code.
verdicts=$("$CHECK" --facts verdicts)

# exit_code VERDICT
exit_code() {
    echo "$verdicts" | awk -v name="$1" '$1 == name { print $2 }'
}

# verdict_of EXIT-CODE
verdict_of() {
    echo "$verdicts" | awk -v code="$1" '$2 == code { print $1 }'
}

# declared FILE KEY: the values of its `// KEY: value` lines, one per line.
declared() {
    sed -n "/^\/\//!q; s|^// $2: *||p" "$1"
}

# expected_codes "WRONG|CRASH": "17 13"; nothing if one is no verdict.
expected_codes() {
    codes=
    for word in $(echo "$1" | tr '|' ' '); do
        code=$(exit_code "$word")
        [ -n "$code" ] || return
        codes="$codes $code"
    done
    echo "$codes"
}

# Processes that still have a file of this folder mapped or open.
left_behind() {
    for maps in /proc/[0-9]*/maps; do
        grep -q "$1/" "$maps" 2>/dev/null && echo "${maps%/maps}"
    done
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
            tr -s ' \n' '  ' <"$3/report.txt" | grep -Eiq -- "$words" ||
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

# hand_in FILE FOLDER: the learner's folder, with FILE in its kernel's place.
hand_in() {
    read -r number kernel <<END
$(declared "$1" chapter)
END
    kernel=$kernel.${1##*.}
    for solved in "$root/solutions/$number"-*/*.cu \
        "$root/solutions/$number"-*/*.c; do
        [ -f "$solved" ] && cp "$solved" "$2/"
    done
    [ -f "$2/$kernel" ] || return 1
    if awk -v mode=list -f "$root/common/cli/holes.awk" "$1" | grep -q .; then
        fill_holes "$1" "$root/solutions/$number"-*/"$kernel" >"$2/$kernel"
    else
        cp "$1" "$2/$kernel"
    fi
}

# run_case SUITE DEVICE INDEX FILE: prints its TAP lines.
run_case() {
    name=$(basename "${4%.*}")
    title="$name: $(sed -n 's|^// [a-z]*: *||p' "$4" | head -n 1)"
    if [ "$2" = sim ] && [ "$(declared "$4" device)" = gpu ]; then
        echo "ok $3 - $title # SKIP needs a GPU"
        return
    fi
    why=$(cd "$root" && too_new "$(declared "$4" chapter | cut -d ' ' -f 1)")
    why=${why:-$(cd "$root" && too_old "$(declared "$4" since)")}
    if [ -n "$why" ]; then
        echo "ok $3 - $title # SKIP $why"
        return
    fi
    # No name in the path: the report shows it, and must not say the words.
    dir=$BUILD/handins/$(echo "$1/$name" | cksum | cut -d ' ' -f 1)
    rm -rf "$dir/src" "$dir/report.txt" "$dir/report.json"
    mkdir -p "$dir/src"
    ln -sfn "$BUILD/bin" "$dir/bin"
    ln -sfn "$BUILD/simgpu" "$dir/simgpu"
    ln -sfn "$BUILD/vclock" "$dir/vclock"
    mkdir -p "$dir/stage" "$BUILD/stage/solution"
    ln -sfn "$BUILD/stage/solution" "$dir/stage/solution"
    if ! hand_in "$4" "$dir/src"; then
        echo "not ok $3 - $title"
        echo "# no hand-in: is its chapter solved, with holes of that name?"
        return
    fi
    read -r number kernel <<END
$(declared "$4" chapter)
END
    shape=$(declared "$4" shape)
    patience=$(declared "$4" patience)
    [ -z "$(declared "$4" whole)" ] || kernel=
    timeout -k 5 "$LIMIT" "$CHECK" chapter "$number" --src "$dir/src" \
        ${kernel:+--kernel "$kernel"} --device "$2" --build "$dir" \
        --root "$root" --json "$dir/report.json" \
        --remember "$BUILD/predicted" --jobs 1 \
        ${shape:+--shape "$shape"} ${SEED:+--seed "$SEED"} \
        ${patience:+--patience "$patience"} \
        >"$dir/report.txt" 2>&1 </dev/null
    problems=$(judge "$4" $? "$dir")
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
suite=$(basename "$(cd "$folder" && pwd)")
shift
device=sim
case ${1-} in sim | gpu) device=$1; shift ;; esac

results=$(mktemp -d)
runner=
trap 'rm -rf "$results"' EXIT
trap '[ -z "$runner" ] || kill "$runner" 2>/dev/null; exit 130' INT TERM

# One file per line.
for file in "$folder"/*.cu "$folder"/*.c; do
    [ -f "$file" ] || continue
    name=$(basename "${file%.*}")
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    [ "$device" = gpu ] && [ "$(declared "$file" device)" != gpu ] && continue
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
while [ "$index" -le "$count" ]; do
    if [ -f "$results/$index" ]; then
        cat "$results/$index"
        grep -q '^not ok' "$results/$index" && failed=$((failed + 1))
        index=$((index + 1))
    elif kill -0 "$runner" 2>/dev/null; then
        sleep 0.2
    else
        [ -f "$results/$index" ] && continue
        echo "not ok $index - ended without a result"
        failed=$((failed + 1))
        index=$((index + 1))
    fi
done
[ "$failed" -eq 0 ]
