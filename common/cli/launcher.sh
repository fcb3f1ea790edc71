#!/bin/sh
# SPDX-License-Identifier: MIT
# launcher.sh TREE.h CANDIDATES.tsv OUT.cu OPERATOR: a stage that asks the tree,
# or the trees, which make tune has printed, and launches the kernel that it
# answers. OPERATOR is gemm_f32 or gemm_bf16_bf16. Behind make tune.
#
# Its hard idea: every candidate is a whole stage with the same names, so each
# is included in a namespace of its own, with the constants that candidates.tsv
# gives it. What several of them include is read once, before all namespaces.
set -eu
. common/cli/lib.sh
tree=$1
candidates=$2
out=$3
operator=$4
case $operator in
gemm_f32) type=float ;;
gemm_bf16_bf16) type=gemm_bf16_t ;;
*) die "no launcher is written for $operator" ;;
esac

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
    sources | xargs grep -h '^#define _CG' | sort -u
    sources | xargs grep -h '^#include <' | sort -u
    echo '#include "op/gemm.h"'
    sources | xargs grep -h '^#include "op/gemm_[bhstv]' | sort -u
    sed '/^\/\//d' "$tree" | sed '/./,$!d'
    echo "$answers" | while read -r _ name; do
        line=$(grep "^$name$tab" "$candidates")
        echo
        echo "namespace $name {"
        with_constants "$(source_of "$(echo "$line" | cut -f 2)")" \
            "$(echo "$line" | cut -f 3)"
        echo "} // namespace $name"
    done
    cat <<END

size_t ${operator}_workspace(struct gemm_shape shape)
{
    switch (dispatch(shape.M, shape.N, shape.K)) {
END
    echo "$answers" | while read -r index name; do
        echo "    case $index:"
        echo "        return $name::${operator}_workspace(shape);"
    done
    cat <<END
    }
    return 0;
}

cudaError_t $operator(const $type *A, const $type *B, $type *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    switch (dispatch(shape.M, shape.N, shape.K)) {
END
    echo "$answers" | while read -r index name; do
        echo "    case $index:"
        echo "        return $name::$operator(A, B, C, shape, alpha, beta,"
        echo "                               workspace, stream);"
    done
    cat <<'END'
    }
    return cudaErrorInvalidValue;
}
END
} >"$out"
