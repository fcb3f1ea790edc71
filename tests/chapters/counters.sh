#!/bin/sh
# SPDX-License-Identifier: MIT
# counters.sh REPORT...: what the simulated GPU counted for each kernel, and
# its verdict, as lines `CHAPTER KERNEL WORD VALUE` (tabs between). Counters
# that are zero are left out, those in by-data/CHAPTER, which depend on the
# inputs (where a branch is taken for a new maximum, say), busiest_block, which
# polling changes, and host_launches: all that graphs do not launch. So are six
# that gates alone need, and which are younger than what some toolkits counted:
# tests/unit has them.
#
# tests/chapters/counters/RELEASE/NN.tsv holds these lines for the solution of
# chapter NN, as compiled by that release of CUDA: nothing that is changed in
# the simulator may move them unseen. Those that are left depend on neither
# seed nor machine.
for report; do
    number=$(jq -r '.chapter | tostring
        | if length < 2 then "0" + . else . end' "$report") || exit
    by_data=$(dirname "$0")/by-data/$number
    [ -f "$by_data" ] || by_data=/dev/null
    jq -r --arg n "$number" --rawfile by_data "$by_data" '
        ($by_data | split("\n")) as $left_out
        | .kernels[] | .name as $kernel
        | [$n, $kernel, "verdict", .verdict],
          (.runs[] | select(.device.kind == "sim") | .counters // {}
           | to_entries[]
           | select(.value != 0 and (.key | IN($left_out[], "busiest_block",
                "host_launches", "input_sectors", "parameter_sectors",
                "repeated_bytes", "loads_by_multipliers",
                "bytes_asked_again", "mbarrier_arrivals") | not))
           | [$n, $kernel, .key, .value])
        | @tsv' "$report" || exit
done
