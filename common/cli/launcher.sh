#!/bin/sh
# SPDX-License-Identifier: MIT
# launcher.sh TREE.h CANDIDATES.tsv OUT.cu: a stage that asks the tree, or the
# trees, which make tune has printed, and launches the kernel that it answers.
# Behind make tune.
#
# Its hard idea: every candidate is a whole stage with the same names, so each
# is included in a namespace of its own, with the constants that candidates.tsv
# gives it.
set -eu
. common/cli/lib.sh
tree=$1
candidates=$2
out=$3

# The source of CHAPTER/KERNEL; of chapter 0 in common/sweep.
source_of() # CHAPTER/KERNEL
{
    if [ "${1%%/*}" -eq 0 ]; then
        echo "common/sweep/${1#*/}.cu"
    else
        echo "$(chapter_dir solution "${1%%/*}")/${1#*/}.cu"
    fi
}

# The candidates that the tree may answer: their sources.
sources()
{
    echo "$answers" | while read -r _ name; do
        source_of "$(sed -n "s|^$name$tab\([^$tab]*\).*|\1|p" "$candidates")"
    done
}

# The first "NAME = number" of each NAME=VALUE becomes the value.
with_constants() # FILE "NAME=VALUE ..."
{
    awk -v constants="$2" '
        BEGIN {
            n = split(constants, pair, " ")
            for (i = 1; i <= n; i++)
                if (split(pair[i], part, "=") == 2)
                    value[part[1]] = part[2]
        }
        {
            for (name in value) {
                at = match($0, "(^|[^A-Za-z0-9_])" name " = [0-9]+")
                if (!at)
                    continue
                found = substr($0, at, RLENGTH)
                sub("[0-9]+$", value[name], found)
                $0 = substr($0, 1, at - 1) found substr($0, at + RLENGTH)
                delete value[name]
                break
            }
            print
        }' "$1"
}

# Lines "INDEX NAME" of what the tree may answer.
answers=$(sed -n 's|^ *return \([0-9]*\); // \(.*\)$|\1 \2|p' "$tree" |
    sort -un)
[ -n "$answers" ] || die "$tree is no tree that make tune has printed"
tab=$(printf '\t')
echo "$answers" | while read -r _ name; do
    grep -q "^$name$tab" "$candidates" || die "no candidate is called $name"
done
{
    sed -n '/^\/\//p; /^\/\//!q' "$tree"
    # A system's header must not be read in a namespace.
    sources | xargs grep -h '^#include <' | sort -u
    echo '#include "op/gemm.h"'
    sed '/^\/\//d' "$tree" | sed '/./,$!d'
    echo "$answers" | while read -r _ name; do
        line=$(grep "^$name$tab" "$candidates")
        echo
        echo "namespace $name {"
        with_constants "$(source_of "$(echo "$line" | cut -f 2)")" \
            "$(echo "$line" | cut -f 3)"
        echo "} // namespace $name"
    done
    cat <<'END'

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    switch (dispatch(shape.M, shape.N, shape.K)) {
END
    echo "$answers" | while read -r index name; do
        echo "    case $index:"
        echo "        return $name::gemm_f32_workspace(shape);"
    done
    cat <<'END'
    }
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    switch (dispatch(shape.M, shape.N, shape.K)) {
END
    echo "$answers" | while read -r index name; do
        echo "    case $index:"
        echo "        return $name::gemm_f32(A, B, C, shape, alpha, beta,"
        echo "                               workspace, stream);"
    done
    cat <<'END'
    }
    return cudaErrorInvalidValue;
}
END
} >"$out"
