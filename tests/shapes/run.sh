#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh: compares stages with their reference on random shapes, as TAP.
#
#   SHAPES="05 21 short long"   solutions, and routes alone (short.cu, long.cu);
#                               `all`: every one of convolution and product,
#                               `fusion`: chapters 18 to 22
#   COUNT=60 SEED=1             shapes per path, and where they are drawn from
#   DEVICE=gpu                  on a GPU; then TIMES=20 runs of each shape must
#                               agree to the bit, of 30 million operations
#
# Without a GPU a shape runs once as it comes, and once with blocks and warps
# shuffled: the sums of both runs' bits must be equal.
#
#   DEVICE=gpu SHAPES=all COUNT=200 sh tests/shapes/run.sh
#
# PREBUILT=1 takes build/shapes/ as it is, carried from another machine.
cd "$(dirname "$0")/../.." || exit 1
. common/cli/lib.sh
. tests/tap.sh
. tests/nvcc.sh
BUILD=${BUILD:-build}
mflop=0.5 # a shape, at most
COUNT=${COUNT:-60}
SEED=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Fewer shapes for routes that only few shapes reach.
SHAPES=${SHAPES:-09 06 15 14 short long}
if [ "$SHAPES" = all ]; then
    SHAPES="short long"
    for folder in solutions/*-dwconv-*/ solutions/*-gemm-*/; do
        folder=${folder#solutions/}
        SHAPES="$SHAPES ${folder%%-*}"
    done
fi

[ "$SHAPES" != fusion ] || SHAPES="18 19 20 21 22"

# The operands of these are not padded and their rows may be long.
limits() # NAME: of the extents
{
    case $1 in
    1[89]/* | 2[0-2]/*) ;;
    short/weight_grad) echo "K:1:17" ;;
    short/*) echo "K:1:32" ;;
    tensor/*) echo integer ;;
    */gemm) echo "M:1:512 N:1:512" ;;
    *) echo "K:1:1024" ;;
    esac
}

operator() # NAME PATH: what the kernel computes
{
    case $1 in
    [0-9]*) chapter_conf "$(chapter_dir chapter "$1")" op "$2" ;;
    *) echo "dwconv_$2" ;;
    esac
}

# Large enough for the launcher of 09 to choose by shape: a few will do.
large="B:2:8 H:16:24 L:2000:2048 K:10:80"

library() # NAME PATH: the stage that has it
{
    case $1 in
    short | long | tensor | wrong) echo "$BUILD/shapes/$1.so" ;;
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
    set -- "$BUILD/shapes/shapes" "$stage" "$(operator "$1" "$2")" \
        "$COUNT" "$SEED"
    if [ "${DEVICE:-sim}" = gpu ]; then
        # shellcheck disable=SC2086
        tried "$work/gpu" "$@" "${TIMES:-20}" 30 $extents
        return
    fi
    # shellcheck disable=SC2086 # a list of limits
    tried "$work/plain" "$BUILD/bin/simgpu" "$@" 1 "$mflop" $extents
    # shellcheck disable=SC2086
    SIMGPU_CHECKS=none SIMGPU_SEED=$SEED \
        tried "$work/shuffled" "$BUILD/bin/simgpu" "$@" 1 "$mflop" $extents
    diff "$work/plain" "$work/shuffled"
}

built() # FILE...
{
    [ -n "${PREBUILT:-}" ] ||
        make -s BUILD="$BUILD" "$@" 2>&1 | grep -v '^build '
    for file in "$@"; do [ -f "$file" ] || echo "there is no $file"; done
}

# The notes of the solution time each kernel, and print what the rule takes in
# bold. The program asks the rule alone: it is linked with a runtime, which it
# never calls.
measured_routes()
{
    awk -F ' *[|] *' '
        /^## Which kernel/ { inside = 1 }
        /^Forward path/ { path = 5 }
        /^Weight gradient/ { path = 6 }
        inside && /^## The short/ { exit }
        inside && $2 ~ /^B[0-9]/ {
            bold = $4 ~ /[*]/ ? "tile" : $5 ~ /[*]/ ? "short" : "long"
            print $2, path, bold
        }' solutions/*/NOTES.md
}

routes_as_measured()
{
    measured_routes >"$work/measured"
    [ "$(wc -l <"$work/measured")" -ge 15 ] || echo "the notes have no tables"
    cut -d ' ' -f 1-4 "$work/measured" |
        LD_LIBRARY_PATH="$BUILD/simgpu" "$BUILD/shapes/routes" |
        paste -d ' ' "$work/measured" - | awk '
            $6 != ($5 == 5 ? $11 : $12) { print "not so: " $0 }'
}

# Faults that this suite must find: a sum that forgets a tap if K exceeds L, and
# a sum in the order of the blocks.
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
tensor=$(ls solutions/*/toeplitz.cuh 2>/dev/null)
[ -z "$tensor" ] ||
    targets="$targets $BUILD/shapes/tensor.so $BUILD/shapes/routes"
[ -z "$tensor" ] || names=tensor/forward
for name in $SHAPES; do
    folder=$(chapter_dir solution "$name")
    case $name in
    short | long) paths="forward input_grad weight_grad" ;;
    1[89] | 2[0-2])
        paths=$(for source in $(kernels "chapters/${folder#*/}"); do
            basename "${source%.*}"
        done) ;;
    *) paths="forward input_grad weight_grad gemm" ;;
    esac
    for path in $paths; do
        case $name in
        short | long) ;;
        *) [ -f "$folder/$path.cu" ] || continue ;;
        esac
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
    extents=$(limits "$name")
    quiet "$name: $COUNT random shapes, seed $SEED" \
        right "${name%/*}" "${name#*/}"
done
case " $names " in *" 09/forward "*)
    for path in forward input_grad weight_grad; do
        extents=$large
        COUNT=4 mflop=60 \
            quiet "09/$path: 4 large shapes, seed $SEED" right 09 "$path"
    done ;;
esac

if [ "${DEVICE:-sim}" = sim ]; then
    [ -z "$tensor" ] ||
        quiet "the rule takes what the notes say" routes_as_measured
    quiet "a tap forgotten at few shapes is found" finds_wrong
    quiet "a sum in the order of the blocks is found" finds_disorder
fi
plan
