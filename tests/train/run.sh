#!/bin/sh
# SPDX-License-Identifier: MIT
# Both models on the simulated GPU, as TAP: losses equal those in double, with
# and without a graph; nothing is found; a gradient with a missing term is seen.
# Wirings and formulas are tested in tests/unit/train_test.c.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/arch.sh
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
unset BUILD MAKEFLAGS MFLAGS MAKELEVEL N DEVICE MODEL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CUDA_HOME=${CUDA_HOME:-$(sh common/cli/find-cuda.sh)}
export CUDA_HOME

stages="kernels 05/forward 05/input_grad 05/weight_grad 24/adam
    24/swish_backward 24/rms_backward"
[ -n "$(too_new 22)" ] ||
    stages="$stages 22/kernels 22/gradient 22/evonorm_b0_eval"
# shellcheck disable=SC2046,SC2059,SC2086  # words, in a format
make -s BUILD="$build" $(printf "$build/train/%s.so " $stages) \
    >"$work/made" 2>&1 || cat "$work/made"

trains() # SETTING...: what it printed is in $work/said
{
    TRAIN_BUILD=${from:-$build} "$build/bin/simgpu" "$build/bin/train" "$@" \
        >"$work/said" 2>&1
}

passes() # SETTING...
{
    trains "$@" check=1 || cat "$work/said"
    grep -qx 'check passed' "$work/said" || echo "it was not checked"
}

repeats()
{
    trains s4 conv=5 B=3 H=5 L=33 K=40 steps=4
    sed '/^ms/d' "$work/said" >"$work/first"
    trains s4 conv=5 B=3 H=5 L=33 K=40 steps=4 graph=1
    grep -q '^loss 4 ' "$work/first" || cat "$work/first"
    sed '/^ms/d' "$work/said" | diff "$work/first" -
}

# The learner's folder has the mutant; all else is the solution's.
mutant_is_seen()
{
    mkdir -p "$work/build/stage/chapter/24" "$work/src"
    sh tests/handins.sh --hand-in tests/mutants/rms_grad_term_dropped.cu \
        "$work/src" >/dev/null
    "$CUDA_HOME/bin/nvcc" -Icommon -shared -cudart shared -Xcompiler \
        -fPIC,-fvisibility=hidden -gencode \
        arch=compute_75,code=compute_75 -o \
        "$work/build/stage/chapter/24/rms_backward.so" \
        "$work/src/rms_backward.cu" || return
    ln -s "$build/train" "$work/build/train"
    from=$work/build trains s4 conv=5 steps=3 yours=1 check=1 &&
        echo "the program was content"
    grep -q '^differs at step 2' "$work/said" || cat "$work/said"
    from=
}

no_such_setting()
{
    trains s4 speed=9 && echo "an unknown setting was taken"
    grep -q '^usage: ' "$work/said" || cat "$work/said"
}

quiet "a sequence model: losses equal those in double" \
    passes s4 conv=5 steps=3
quiet "the same in a graph, odd sizes" \
    passes s4 conv=5 B=3 H=5 L=33 K=40 blocks=1 steps=3 graph=1
quiet "a graph changes no digit of a loss" repeats
if [ -n "$(too_new 22)" ]; then
    skip "an image model: losses equal those in double" "$(too_new 22)"
else
    quiet "an image model: losses equal those in double" \
        passes cnn B=2 steps=3 apart=1 graph=1
fi
quiet "a gradient with a missing term is seen" mutant_is_seen
quiet "a setting that does not exist is refused" no_such_setting
plan
