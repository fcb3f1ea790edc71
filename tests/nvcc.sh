# SPDX-License-Identifier: MIT
# Makes nvcc two or three times as quick for a suite of many kernels; sourced.
# What is left out is of use to messages about macros alone, gold, where there
# is one, is quicker than ld, and tests/lean/lean.c, if it was built, leaves out
# headers: not with WHOLE_HEADERS=1, which is for programs that use any of them.
# Where this is not sourced, as in beginners and for the solutions in chapters,
# nvcc is what learners have.
# shellcheck shell=sh
case ${NVCC_APPEND_FLAGS-} in
*-ftrack-macro-expansion=0*) ;; # by a suite that runs this one
*)
    NVCC_APPEND_FLAGS="${NVCC_APPEND_FLAGS-} -Xcompiler"
    NVCC_APPEND_FLAGS="$NVCC_APPEND_FLAGS -ftrack-macro-expansion=0"
    ! command -v ld.gold >/dev/null ||
        NVCC_APPEND_FLAGS="$NVCC_APPEND_FLAGS -Xcompiler -fuse-ld=gold"
    lean_not="${WHOLE_HEADERS-}${NVCC_CCBIN-}${NVCC_PREPEND_FLAGS-}"
    case "$lean_not:${BUILD:=$PWD/build}" in
    [!:]* | *" "*) ;;
    *) [ ! -x "$BUILD/bin/lean" ] ||
        NVCC_APPEND_FLAGS="$NVCC_APPEND_FLAGS -ccbin $BUILD/bin/lean" ;;
    esac
    ;;
esac
export NVCC_APPEND_FLAGS
