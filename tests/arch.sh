# SPDX-License-Identifier: MIT
# What the CUDA toolkit at hand cannot compile; sourced, with the workbook's
# root as the current folder.
#
#   too_new NN             why chapter NN cannot be compiled here; nothing if
#                          it can
#   too_old "12.0 WHY"     "CUDA 11.8: WHY" if the toolkit is older than that
# shellcheck shell=sh

too_new()
{
    too_new_arch=$(cat chapters/"$1"-*/chapter.conf 2>/dev/null |
        sed -n 's/^arch *= *//p' | head -n 1)
    case $too_new_arch in *a) ;; *) return ;; esac # the others are in CUDA 11.8
    too_new_nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
    "$too_new_nvcc" --dryrun -c -o /dev/null -x cu /dev/null \
        -gencode "arch=$too_new_arch,code=$too_new_arch" 2>&1 |
        grep -q "Unsupported gpu architecture" ||
        return 0
    echo "CUDA $(nvcc_release "$too_new_nvcc") has no $too_new_arch"
}

# nvcc_release NVCC: 13.0
nvcc_release()
{
    "$1" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'
}

too_old()
{
    [ -n "$1" ] || return 0
    too_old_has=$(nvcc_release "$(sh common/cli/find-cuda.sh)/bin/nvcc")
    printf '%s\n' "${1%% *}" "$too_old_has" | sort -V -C ||
        echo "CUDA $too_old_has: ${1#* }"
}
