#!/bin/sh
# SPDX-License-Identifier: MIT
# tune.sh BUILD: fits chapter 23's decision tree to a sweep, and writes it as C.
# Your own tree.c does the fitting if it passes, otherwise the solution's.
#
#   FROM=FILE     the sweep; chapter 23's own without it
#   TO=FILE       the tree: BUILD/sweeps/dispatch.h; beside it dispatch.cu, a
#                 stage that asks it which kernel to launch
#   DEPTH=5       the most questions, one after the other
#   FOREST=25     also how good forests of so many trees would be; of a model
#                 that trees correct, TO-forest.h and TO-forest.cu
#
# On a GPU, eight shapes are timed again: if the sweep's choices have become
# wrong, because of another card, driver or power limit, it says so and ends
# with an error.
set -eu
. common/cli/lib.sh
build=$1
whole_numbers DEPTH FOREST

chapter=$(chapter_dir chapter 23)
[ -n "$chapter" ] || die "there is no chapters/23-*"
from=${FROM:-$chapter/sweep.tsv}
to=${TO:-$build/sweeps/dispatch.h}
[ -f "$from" ] || die "there is no $from. make sweep makes one."
mkdir -p "$(dirname "$to")"

fit=
for kind in chapter solution; do
    if [ -n "$fit" ] || [ -z "$(chapter_dir "$kind" 23)" ]; then
        continue
    fi
    if "$build/bin/check" "$kind" 23 --kernel tree --build "$build" \
        --json "$build/tune.json" >"$build/tune.log" 2>&1; then
        fit=$build/stage/$kind/23/tree.so
        echo "Fitted by $(chapter_dir "$kind" 23)/tree.c."
    fi
done
[ -n "$fit" ] || die "your tree.c does not pass yet: make check-chapter 23" \
    "KERNEL=tree says why"

of=$(sed -n 's/^# op	//p' "$from")
candidates=$chapter/candidates.tsv
[ "$of" != gemm_bf16_bf16 ] || candidates=$chapter/candidates-bf16.tsv
probe=
if [ "${DEVICE:-auto}" != sim ] && nvidia-smi >/dev/null 2>&1; then
    probe=$build/sweeps/probe.tsv
    rm -f "$probe"
    seed=$(sed -n 's/^# seed	//p' "$from")
    TO=$probe SEED=$seed SHAPES=4 MAP=0 REPEATS=1 BUDGET=60 \
        sh common/cli/sweep.sh "$build" >/dev/null
fi
forest=${to%.h}-forest.h
status=0
"$build/bin/tune" "$fit" "$from" "${DEPTH:-5}" "${FOREST:-0}" "$to" \
    "$forest" "$candidates" ${probe:+"$probe"} || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit $status # 3: it was written

launcher() # DISPATCHER.h
{
    sh common/cli/launcher.sh "$1" "$candidates" "${1%.h}.cu" "$of"
    echo "a launcher that asks it: ${1%.h}.cu"
}

# The kernels are those of solutions, which a hand-out may lack.
last=$([ "$of" = gemm_f32 ] && echo 15 || echo 17)
if [ -n "$(chapter_dir solution "$last")" ]; then
    launcher "$to"
    [ "${FOREST:-0}" -eq 0 ] || launcher "$forest"
fi
exit $status
