#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep.sh BUILD [CUDA_HOME]: times the candidates of chapter 23 at many
# shapes, on this machine's GPU; without one, or with DEVICE=sim, a model
# predicts the times, and the file says so.
#
#   OF=fp32       or bf16: the products whose kernels are compared; or a path of
#                 the depthwise convolution: forward, input_grad, weight_grad
#   TO=FILE       where the rows go: BUILD/sweeps/GPU.tsv, GPU-bf16.tsv, ...
#   BUDGET=600    seconds: then it ends; the same command goes on where it
#                 was (make takes it as SECONDS=600)
#   GPU=t4        predicted times, of this GPU
#   SEED=2026     of the shapes
#   REPEATS=3     measurements of what may be the fastest at a shape; 1 of
#                 predicted times
#   SHAPES=500    for training, and as many held out; MAP=16: a map of 16 x 16.
#                 Convolutions have a grid of lengths and taps instead
#   TRAIN=SHAPES  for training, if they are not to be as many
#   FLAT=0        more for training, with a large C and a short k
#   ROOFS=FILE    the ceilings; without it those of BUILD/roofs, measured now if
#                 need be
#   PRUNE=FACTOR  candidates that a file lacks are not measured where their
#                 tiles alone, by the ceilings, take FACTOR times what the
#                 fastest of the file takes; without it all are
#   CELLS=8388608 of a convolution's sequences: B x H x L
#
# On a GPU, cuBLAS is timed beside ours if it is there: the kernel peer_cublas.
set -eu
. common/cli/lib.sh
build=$1
whole_numbers BUDGET SHAPES TRAIN FLAT MAP REPEATS SEED

chapter=$(chapter_dir chapter 23)
[ -n "$chapter" ] || die "there is no chapters/23-*, which names the candidates"
of=${OF:-fp32}
is_product=yes
pipe=fp32 witness="15 --kernel gemm"
case $of in
fp32) operator=gemm_f32 candidates=$chapter/candidates.tsv ;;
bf16)
    operator=gemm_bf16_bf16 candidates=$chapter/candidates-bf16.tsv
    pipe=bf16_tensor witness="16 --kernel bf16"
    ;;
forward | input_grad | weight_grad)
    operator=dwconv_$of candidates=$chapter/candidates-$of.tsv is_product= ;;
*) die "OF=$of: there are sweeps of fp32, bf16, forward, input_grad and" \
    "weight_grad" ;;
esac
[ -n "$(chapter_dir solution 15)" ] ||
    die "the candidates are made of solutions/04-* to 17-*, which are not here"

# The value of KEY in the file of ceilings.
ceiling() # KEY FILE
{
    sed -n "s/.*\"$1\": *\([0-9][0-9.e+]*\).*/\1/p" "$2" 2>/dev/null
}

# cuBLAS as a stage; without a word where it cannot be built.
build_peer()
{
    home=${CUDA_HOME:-/usr/local/cuda}
    peer=$build/sweep/peer_cublas.so
    mkdir -p "$build/sweep"
    gcc -std=c11 -D_GNU_SOURCE -O2 -fPIC -shared -Icommon \
        -isystem "$home/include" -o "$peer" \
        common/peers/gemm/cublas_stage.c "-L$home/lib64" -lcublasLt -lcudart \
        "-Wl,-rpath,$home/lib64" >"$build/sweep/peer_cublas.log" 2>&1
}

name=
[ "${DEVICE:-auto}" = sim ] || [ -n "${GPU:-}" ] ||
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null |
        head -n 1) || name=
if [ -n "$name" ]; then
    ask() { nvidia-smi "--query-gpu=$1" --format=csv,noheader | head -n 1; }
    roofs=$build/roofs/$(printf %s "$name" | tr -c 'A-Za-z0-9.-' _).json
    roofs=${ROOFS:-$roofs}
    # A report's first need of a ceiling measures it.
    # shellcheck disable=SC2086 # a chapter, an option and its value
    [ -n "$(ceiling ${pipe}_flops_per_second "$roofs")" ] ||
        "$build/bin/check" solution $witness --device gpu --build "$build" \
            --json "$build/sweep.json" >&2 ||
        die "the ceilings of this GPU cannot be measured; make doctor helps"
    set -- "driver=$(ask driver_version)" "power_limit=$(ask power.limit)" \
        "repeats=${REPEATS:-3}"
    if [ "$is_product" ] && build_peer; then set -- "$@" "peer=$peer"; fi
else
    [ "${DEVICE:-auto}" != gpu ] || die "nvidia-smi finds no GPU here." \
        "make sweep DEVICE=sim predicts the times."
    roofs=book/results/nvidia-h200/roofs.json
    set -- "gpu=${GPU:-}" "repeats=${REPEATS:-1}"
    echo "No GPU: the times are predicted, and the file says so." >&2
fi
flops=$(ceiling ${pipe}_flops_per_second "$roofs")
bytes=$(ceiling copy_bytes_per_second "$roofs")
{ [ -n "$flops" ] && [ -n "$bytes" ]; } || die "$roofs lacks the ceilings"

commit=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
suffix=-$of
[ "$of" != fp32 ] || suffix=
to=${TO:-$build/sweeps/$(printf %s "${name:-predicted-${GPU:-h200}}" |
    tr 'A-Z ' 'a-z-')$suffix.tsv}
mkdir -p "$(dirname "$to")"
"$build/bin/bench-sweep" "$build" "$operator" "$candidates" "$to" \
    "$@" "seed=${SEED:-2026}" "train=${TRAIN:-${SHAPES:-500}}" \
    "held=${SHAPES:-500}" \
    "flat=${FLAT:-0}" \
    "map=${MAP:-16}" ${BUDGET:+"seconds=$BUDGET"} ${CELLS:+"cells=$CELLS"} \
    ${PRUNE:+"prune_factor=$PRUNE"} \
    "flops_per_second=$flops" "bytes_per_second=$bytes" \
    "date=$(date -u +%Y-%m-%d)" "commit=$commit"
echo "The sweep: $to"
[ -z "$is_product" ] || echo "Next: make tune FROM=$to"
