#!/bin/sh
# SPDX-License-Identifier: MIT
# Both models on the simulated GPU, as TAP: losses equal those in double, with
# and without a graph; nothing is found; a gradient with a missing term is seen.
# A study that was interrupted goes on, with programs that stand in for a GPU's.
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

convolutions_agree()
{
    objects=$build/o/common/train
    # shellcheck disable=SC2086  # words
    ${CC:-cc} -std=c11 -Icommon -I"$CUDA_HOME/include" -o "$work/conv2d" \
        tests/train/conv2d.c "$objects/device.o" "$objects/reference.o" \
        "$objects/reference_cnn.o" "$build"/simgpu/libcudart.so.* -ldl -lm \
        -pthread || return
    "$build/bin/simgpu" "$work/conv2d" "$build/train/kernels.so" ||
        echo "not all convolutions agree"
}

no_such_setting()
{
    trains s4 speed=9 && echo "an unknown setting was taken"
    grep -q '^usage: ' "$work/said" || cat "$work/said"
}

# Programs that stand in for the driver's, bin/train and PyTorch. With chapter
# 07's convolutions bin/train fails until there is a file `again`.
stand_ins()
{
    mkdir -p "$work/path" "$work/study/bin" "$work/study/train"
    cat >"$work/path/nvidia-smi" <<'END'
#!/bin/sh
case $* in *=name*) echo "NVIDIA H200" ;; *) echo 580.0 ;; esac
END
    cat >"$work/path/python3" <<'END'
#!/bin/sh
[ "$1" = common/train/peer.py ] || exit 0
: >"$5"
exec 7<"$4"
flock 7
settings="cnn B=$2 channels=32"
[ "$2" != s4 ] || settings="s4 B=16384 H=128 L=48 K=48 blocks=4"
printf '{"gpu": "%s", "run": "peer", "settings": "%s", ' "$3" "$settings"
echo '"peer": "compiled graph", "ms_per_step": 2}'
END
    cat >"$work/study/bin/train" <<END
#!/bin/sh
exec 8>"\$TRAIN_TURN"
flock 8
[ ! -f "$work/busy" ] || touch "$work/two"
touch "$work/busy"
echo "\$*" >>"$work/ran"
rm "$work/busy"
case \$* in *conv=7*) [ -f "$work/again" ] || exit 1 ;; esac
echo "ms_per_step 1.5"
case \$* in *each=1*) echo "operation rms 8 0.5" ;; esac
END
    chmod +x "$work/path/nvidia-smi" "$work/path/python3" \
        "$work/study/bin/train"
}

study() # what it says of failures is in $work/said
{
    PATH="$work/path:$PATH" BUILD="$work/study" COMMIT=1234567 BATCHES=1 \
        PARTS="epoch batch peers" sh common/train/study.sh >"$work/said" 2>&1
}

study_goes_on() # with what has failed before, and with nothing else
{
    rows=$work/study/train/study.jsonl
    stand_ins
    study
    [ "$(grep -c failed "$work/said")" -eq 3 ] || cat "$work/said"
    [ "$(wc -l <"$rows")" -eq 23 ] || cat "$rows" # 15, 4 + 2, and 2 peers
    touch "$work/again"
    : >"$work/ran"
    study
    grep failed "$work/said"
    grep -v conv=7 "$work/ran"
    [ "$(wc -l <"$rows")" -eq 26 ] || cat "$rows"
    [ ! -f "$work/two" ] || echo "two were at work at the same time"
    jq -e '.provenance.commit == "1234567" and (.runs | length) == 26' \
        "$work/study/train/training.json" >/dev/null ||
        cat "$work/study/train/training.json"
}

quiet "a sequence model: losses equal those in double" \
    passes s4 conv=5 steps=3
quiet "the same in a graph, odd sizes" \
    passes s4 conv=5 B=3 H=5 L=33 K=40 blocks=1 steps=3 graph=1
quiet "blocks that go through several tiles" \
    passes s4 conv=5 B=129 H=3 L=132 K=4 blocks=1 steps=4
quiet "more channels than a block keeps" \
    passes s4 conv=5 B=2 H=131 L=40 K=3 blocks=1 steps=4
quiet "a graph changes no digit of a loss" repeats
if [ -n "$(too_new 22)" ]; then
    skip "an image model: losses equal those in double" "$(too_new 22)"
else
    quiet "an image model: losses equal those in double" \
        passes cnn B=2 steps=3 apart=1 graph=1
fi
quiet "convolutions of images: both strides, few and many channels" \
    convolutions_agree
quiet "a gradient with a missing term is seen" mutant_is_seen
quiet "a setting that does not exist is refused" no_such_setting
quiet "a study goes on where it was, a run at a time" study_goes_on
plan
