#!/bin/sh
# SPDX-License-Identifier: MIT
# counters.sh REPORT...: what the simulated GPU counted for each kernel, and
# its verdict, as lines `CHAPTER KERNEL WORD VALUE` (tabs between). Counters
# that are zero are left out, those of by-data, which depend on the inputs, and
# busiest_block, which polling changes.
#
# tests/chapters/counters-RELEASE.tsv holds these lines for every solution, as
# compiled by that release of CUDA: nothing that is changed in the simulator
# may move them unseen. Those that are left depend on neither seed nor machine.
for report; do
    jq -r --rawfile by_data "$(dirname "$0")/by-data" '
        ($by_data | split("\n")) as $left_out
        | (.chapter | tostring | if length < 2 then "0" + . else . end) as $n
        | .kernels[] | .name as $kernel
        | [$n, $kernel, "verdict", .verdict],
          (.runs[] | select(.device.kind == "sim") | .counters // {}
           | to_entries[]
           | select(.value != 0 and .key != "busiest_block"
                    and ("\($n) \(.key)" | IN($left_out[]) | not))
           | [$n, $kernel, .key, .value])
        | @tsv' "$report" || exit
done
