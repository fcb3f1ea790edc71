#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh COMMIT NAME=STAGE.so ...: the speed of the simulator as it is here
# over that of another commit, on the same stages. Called by
# `make bench-sim BASE=COMMIT`, which has built what is here.
#
# That commit is checked out into $BUILD/bench/base, and its engine is built
# there by its own Makefile; this folder's sim.c is linked with it, so that
# both are measured alike. The two programs then run in turns, once for each
# stage; what is printed are medians of RUNS runs: this commit's speed, that
# commit's, and the ratio of neighbouring runs. A stage that the other commit
# cannot run has no ratio. Fails where a row is slower by more than TOLERANCE.
#   RUNS=7   TOLERANCE=0.02
set -eu
cd "$(dirname "$0")/../../.."
build=${BUILD:-build}
RUNS=${RUNS:-7}
TOLERANCE=${TOLERANCE:-0.02}
commit=$(git rev-parse --verify -q "$1^{commit}") || {
    echo "bench-sim: $1 is no commit" >&2
    exit 1
}
shift
base=$build/bench/base
unset MAKEFLAGS MFLAGS MAKELEVEL

# The other commit's engine, once.
if [ "$(cat "$build/bench/base.commit" 2>/dev/null)" != "$commit" ]; then
    rm -rf "$base"
    git worktree prune
    git worktree add -q --detach "$base" "$commit"
    make -s -C "$base" BUILD=build CC="$CC" build/bench/sim >&2
    echo "$commit" >"$build/bench/base.commit"
fi

# shellcheck disable=SC2046,SC2086
$CC -std=c11 -D_GNU_SOURCE -O2 -g -w -pthread -rdynamic -I"$base/common" \
    -iquote common/simgpu/bench -idirafter common $INC \
    -o "$build/bench/sim-base" \
    common/simgpu/bench/sim.c common/simgpu/bench/measure_plain.c $PLAIN_OBJ \
    $(find "$base/build/o/common/simgpu" -name '*.o' |
        grep -v -e simgpu/cudart/ -e simgpu/device/ -e simgpu/bench/) \
    -lzstd -llz4 -ldl -lm -pthread

: >"$build/bench/runs"
run=0
while [ $run -lt "$RUNS" ]; do
    run=$((run + 1))
    for stage; do
        "$build/bench/sim" --once "$stage" >"$build/bench/run"
        sed "s/^/sim $run /" "$build/bench/run" >>"$build/bench/runs"
        "$build/bench/sim-base" --once "$stage" >"$build/bench/run" \
            2>"$build/bench/words" ||
            { [ $run -gt 1 ] || sed "s|^|$commit: |" "$build/bench/words" >&2
              continue; }
        sed "s/^/sim-base $run /" "$build/bench/run" >>"$build/bench/runs"
    done
done

echo "median of $RUNS runs in turns, against" \
    "$(git log -1 --format=%h "$commit")"
awk -v tolerance="$TOLERANCE" '
    function median(list,    n, x, i, j, t) {
        n = split(list, x, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && x[j - 1] + 0 > x[j] + 0; j--) {
                t = x[j]; x[j] = x[j - 1]; x[j - 1] = t
            }
        return x[int((n + 1) / 2)]
    }
    $1 == "sim" {
        counters[$2, $3] = $4; all[$2, $3] = $5
        C[$3] = C[$3] " " $4; A[$3] = A[$3] " " $5
        S[$3] = S[$3] " " $6; T[$3] = T[$3] " " $7
        if (!($3 in seen)) { seen[$3]; order[++rows] = $3 }
    }
    $1 == "sim-base" {
        B[$3] = B[$3] " " $4; D[$3] = D[$3] " " $5
        R[$3] = R[$3] " " counters[$2, $3] / $4
        Q[$3] = Q[$3] " " all[$2, $3] / $5
    }
    END {
        printf "%-22s %29s   %29s\n", "", "counters", "all checks"
        printf "%-22s %8s %8s %6s %6s %8s %8s %6s %6s\n", "", "now", \
            "base", "ratio", "plain", "now", "base", "ratio", "plain"
        for (k = 1; k <= rows; k++) {
            n = order[k]
            if (!(n in R)) {
                printf "%-22s %8.1f %8s %6s %5.1f%%", n, median(C[n]), "-", \
                    "-", median(S[n])
                printf " %8.1f %8s %6s %5.1f%%\n", median(A[n]), "-", "-", \
                    median(T[n])
                continue
            }
            r = median(R[n]); q = median(Q[n])
            printf "%-22s %8.1f %8.1f %6.2f %5.1f%%", n, median(C[n]), \
                median(B[n]), r, median(S[n])
            printf " %8.1f %8.1f %6.2f %5.1f%%\n", median(A[n]), \
                median(D[n]), q, median(T[n])
            if (!(r >= 1 - tolerance && q >= 1 - tolerance))
                slower = slower " " n
        }
        if (slower != "") print "slower than the base:" slower
        exit slower != ""
    }' "$build/bench/runs"
