#!/bin/sh
# SPDX-License-Identifier: MIT
# counters.sh REPORT...: what the simulated GPU counted for each kernel, and
# its verdict, as lines `CHAPTER KERNEL WORD VALUE` (tabs between). Counters
# that are zero are left out.
#
# tests/chapters/counters-RELEASE.tsv holds these lines for every solution, as
# compiled by that release of CUDA: nothing that is changed in the simulator
# may move them unseen. Counters depend on neither seed nor machine.
for report; do
    jq -r '
        (.chapter | tostring | if length < 2 then "0" + . else . end) as $n
        | .kernels[] | .name as $kernel
        | [$n, $kernel, "verdict", .verdict],
          (.runs[] | select(.device.kind == "sim") | .counters // {}
           | to_entries[] | select(.value != 0) | [$n, $kernel, .key, .value])
        | @tsv' "$report" || exit
done
