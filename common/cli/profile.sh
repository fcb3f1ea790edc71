#!/bin/sh
# SPDX-License-Identifier: MIT
# profile.sh profile NN: time by phase and by call path, on host and device: of
# chapter 24's training, or of a chapter's kernels as they were last checked.
#
#   MODEL="cnn steps=3"   what chapter 24 trains; `make train` explains
#   KERNEL=forward        one of the chapter's kernels; all of them by default
#   SHAPE="..."           sizes other than the chapter's first
#   SRC=solution          the solution's kernels, not yours
#   DEVICE=auto|gpu|sim   auto: a GPU if the driver finds one
. common/cli/lib.sh

number=$2
to=$BUILD/profile/$number
mkdir -p "$to" || die "cannot write $to"
case ${DEVICE:-auto} in
gpu) sim= ;;
sim) sim=yes ;;
*)
    sim=yes
    if nvidia-smi -L 2>/dev/null | grep -q GPU; then sim=; fi
    ;;
esac

# PROGRAM...: runs it with the recorder, and makes the views of what it did.
profile() # FOLDER PROGRAM [ARGUMENT...]
{
    folder=$1
    shift
    mkdir -p "$folder"
    report=-
    case $BUILD in /*) here=$BUILD ;; *) here=$PWD/$BUILD ;; esac
    PROFILE_LOG=$folder/log
    export PROFILE_LOG
    if [ -n "$sim" ]; then
        report=$folder/report.json
        PROFILE_EVENTS=0 "$BUILD/bin/simgpu" --summary --report "$report" \
            env LD_PRELOAD="$here/profile/record.so" "$@" \
            >"$folder/said" 2>&1
    else
        LD_LIBRARY_PATH=${CUDA_HOME:-/usr/local/cuda}/lib64 PROFILE_EVENTS=1 \
            LD_PRELOAD=$here/profile/record.so "$@" >"$folder/said" 2>&1
    fi || {
        cat "$folder/said" >&2
        die "the program failed, so there is no profile of it."
    }
    "$BUILD/bin/profile" "$folder/log" "$report" common/profile/page.html \
        "$folder" || exit
    echo "open $folder/profile.html; in Perfetto $folder/trace.json;" \
        "in speedscope $folder/speedscope.json"
}

if [ "$number" = 24 ] && [ -z "$KERNEL" ]; then
    [ -n "$PREBUILT" ] || MAKEFLAGS='' make -s train-stages >&2 || exit
    export TRAIN_BUILD="$BUILD"
    set -f
    # shellcheck disable=SC2086  # MODEL is words
    profile "$to" "$BUILD/bin/train" ${MODEL:-s4 steps=3 graph=1}
    exit
fi
kind=chapter
[ "$SRC" != solution ] || kind=solution
dir=$(chapter_dir chapter "$number")
shown=
for source in $(ordered "$dir"); do
    name=$(basename "${source%.*}")
    [ "${KERNEL:-$name}" = "$name" ] || continue
    what=$(chapter_conf "$dir" kind "$name")
    if [ "${what:-$(chapter_conf "$dir" kind)}" != kernel ]; then
        echo "$name is not a kernel: make profile has no input for it" >&2
        continue
    fi
    stage=$BUILD/stage/$kind/$number/$name.so
    shapes=$(chapter_conf "$dir" sim_shapes "$name")
    if [ ! -f "$stage" ]; then
        echo "$name is not built: make check-$kind $number builds it" >&2
        continue
    fi
    shape=${SHAPE:-${shapes%%;*}}
    echo "== $name at $shape"
    profile "$to/$name" "$BUILD/bin/launch-stage" "$stage" \
        "$(chapter_conf "$dir" op "$name")" "$shape"
    shown=yes
done
[ -n "$shown" ] || die "there was nothing to profile."
