#!/bin/sh
# SPDX-License-Identifier: MIT
# train.sh: trains a small model with the workbook's kernels; behind `make
# train`.
#
#   MODEL="s4 steps=20 conv=5"   which, and its settings: common/train/main.c
#   DEVICE=auto|gpu|sim          auto: a GPU if the driver finds one
#
# MODEL=study measures all that chapter 24 asks for, on a GPU.
. common/cli/lib.sh

export TRAIN_BUILD="$BUILD"
case ${DEVICE:-auto} in
gpu) sim= ;;
sim) sim=$BUILD/bin/simgpu ;;
*)
    sim=$BUILD/bin/simgpu
    if nvidia-smi -L 2>/dev/null | grep -q GPU; then sim=; fi
    ;;
esac
set -f
# shellcheck disable=SC2086  # MODEL is words
set -- ${MODEL:-s4 check=1}
[ -n "$sim" ] || export LD_LIBRARY_PATH="${CUDA_HOME:-/usr/local/cuda}/lib64"
if [ "$1" = study ]; then
    [ -z "$sim" ] || die "MODEL=study measures, so it needs a GPU." \
        'MODEL="s4 check=1" runs a step on the simulated one.'
    exec sh common/train/study.sh
fi
[ -z "$sim" ] ||
    echo "on the simulated GPU: ms_per_step is its own time, not a GPU's"
exec ${sim:+"$sim"} "$BUILD/bin/train" "$@"
