# SPDX-License-Identifier: MIT
# Makes nvcc a tenth quicker for a suite of hundreds of kernels; sourced. What
# is left out is of use to messages about macros alone, and gold, where there
# is one, is quicker than ld. Suites that do not source this, such as chapters
# and beginners, take nvcc as learners do.
# shellcheck shell=sh
NVCC_APPEND_FLAGS="${NVCC_APPEND_FLAGS-} -Xcompiler -ftrack-macro-expansion=0"
! command -v ld.gold >/dev/null ||
    NVCC_APPEND_FLAGS="$NVCC_APPEND_FLAGS -Xcompiler -fuse-ld=gold"
# Half of nvcc's time and more: tests/lean/lean.c, if it was built.
case "${NVCC_CCBIN-}${NVCC_PREPEND_FLAGS-}:${BUILD:=$PWD/build}" in
[!:]* | *" "*) ;;
*) [ ! -x "$BUILD/bin/lean" ] ||
    NVCC_APPEND_FLAGS="$NVCC_APPEND_FLAGS -ccbin $BUILD/bin/lean" ;;
esac
export NVCC_APPEND_FLAGS
