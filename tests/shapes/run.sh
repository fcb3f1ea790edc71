#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh: stages held to their reference on random shapes, as TAP.
#
#   SHAPES="05 09 short long"   solutions, and routes alone (short.cu, long.cu);
#                               `all`: every one
#   COUNT=60 SEED=1             shapes a path, and where they are drawn from
#   DEVICE=gpu                  on a GPU; then TIMES=20 runs of each shape must
#                               agree to the bit, of 30 million operations
#
# Without a GPU a shape runs once as it comes, and once with blocks and warps
# shuffled: the sums of both runs' bits must be equal.
#
#   DEVICE=gpu SHAPES=all COUNT=200 sh tests/shapes/run.sh
cd "$(dirname "$0")/../.." || exit 1
. common/cli/lib.sh
. tests/tap.sh
BUILD=${BUILD:-build}
COUNT=${COUNT:-60}
SEED=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Fewer shapes of what only its own small share of all shapes reaches.
SHAPES=${SHAPES:-09 06 short long}
if [ "$SHAPES" = all ]; then
    SHAPES="short long"
    for folder in solutions/*-dwconv-*/; do
        folder=${folder#solutions/}
        SHAPES="$SHAPES ${folder%%-*}"
    done
fi

limits() # NAME: of the extents
{
    case $1 in
    short) echo "K:1:17" ;;
    *) echo "K:1:1024" ;;
    esac
}

library() # NAME PATH: the stage that has it
{
    case $1 in
    short | long | wrong) echo "$BUILD/shapes/$1.so" ;;
    *) echo "$BUILD/shapes/$1/$2.so" ;;
    esac
}

tried() # OUTPUT COMMAND...: what is wrong with a run of shapes
{
    output=$1
    shift
    "$@" >"$output" 2>&1
    code=$?
    [ $code -eq 0 ] || echo "exit code $code"
    grep -v ' right$' "$output" | grep -v ' 0 wrong '
    [ "$(grep -c ' right$' "$output")" -eq "$COUNT" ] ||
        echo "not $COUNT right shapes"
}

right() # NAME PATH
{
    stage=$(library "$1" "$2")
    set -- "$BUILD/shapes/shapes" "$stage" "dwconv_$2" "$COUNT" "$SEED"
    if [ "${DEVICE:-sim}" = gpu ]; then
        tried "$work/gpu" "$@" "${TIMES:-20}" 30 "$extents"
        return
    fi
    tried "$work/plain" "$BUILD/bin/simgpu" "$@" 1 0.5 "$extents"
    SIMGPU_CHECKS=none SIMGPU_SEED=$SEED \
        tried "$work/shuffled" "$BUILD/bin/simgpu" "$@" 1 0.5 "$extents"
    diff "$work/plain" "$work/shuffled"
}

built() # FILE...
{
    make -s BUILD="$BUILD" "$@" 2>&1 | grep -v '^build '
    for file in "$@"; do [ -f "$file" ] || echo "there is no $file"; done
}

# What this suite must find: a sum that forgets a tap where K exceeds L, and
# one whose order is that of the blocks.
finds_wrong()
{
    extents=K:1:64
    right wrong forward >"$work/found"
    grep -q 'WRONG' "$work/found" || echo "a wrong sum passes"
    grep -q " signed .* right" "$work/plain" ||
        echo "nothing is right, the mistake is too plain"
}

finds_disorder()
{
    extents=K:1:64
    right wrong weight_grad >"$work/found"
    grep -q '^[<>].*signed .* right' "$work/found" ||
        echo "a sum in the order of the blocks passes"
}

targets="$BUILD/shapes/shapes $BUILD/shapes/wrong.so"
for name in $SHAPES; do
    case $name in
    short | long) ;;
    *) [ -n "$(chapter_dir solution "$name")" ] || continue ;;
    esac
    for path in forward input_grad weight_grad; do
        stage=$(library "$name" "$path")
        names="$names $name/$path"
        case " $targets " in *" $stage "*) ;; *)
            targets="$targets $stage" ;;
        esac
    done
done
# shellcheck disable=SC2086 # a list of files without spaces
quiet "the program and the stages build" built $targets
for name in $names; do
    extents=$(limits "${name%/*}")
    quiet "$name: $COUNT random shapes, seed $SEED" \
        right "${name%/*}" "${name#*/}"
done
if [ "${DEVICE:-sim}" = sim ]; then
    quiet "a tap forgotten at few shapes is found" finds_wrong
    quiet "a sum in the order of the blocks is found" finds_disorder
fi
plan
