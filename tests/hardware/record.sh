#!/bin/sh
# SPDX-License-Identifier: MIT
# Records what Nsight Compute counts for every solution, on a machine with a
# GPU and counters permitted, as CSV on standard output:
#
#   make hardware && tests/hardware/record.sh build >tests/hardware/h200.csv
#
# A row: chapter, kernel, operator, shape, then global load requests and
# sectors, global store requests and sectors, shared load and store wavefronts
# and conflicts, summed over the kernels of one launch.
set -eu
build=${1:-build}
here=$(dirname "$0")
lsu=l1tex__t
shared=l1tex__data
metrics="${lsu}_requests_pipe_lsu_mem_global_op_ld.sum
${lsu}_sectors_pipe_lsu_mem_global_op_ld.sum
${lsu}_requests_pipe_lsu_mem_global_op_st.sum
${lsu}_sectors_pipe_lsu_mem_global_op_st.sum
${shared}_pipe_lsu_wavefronts_mem_shared_op_ld.sum
${shared}_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
${shared}_pipe_lsu_wavefronts_mem_shared_op_st.sum
${shared}_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"
list=$(echo "$metrics" | paste -sd, -)

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
echo "# GPU, driver: $gpu"
echo "# toolkit: $toolkit; $(ncu --version | tail -n 1)"
commit=${COMMIT:-$(git rev-parse --short HEAD)}
echo "# date: $(date -u +%Y-%m-%d); commit: $commit"
echo "# made by: tests/hardware/record.sh $build, which runs for each row"
echo "#   ncu --clock-control none --csv --page raw --metrics $list \\"
echo "#     $build/hardware/launch" \
    "$build/hardware/stage/CHAPTER/KERNEL.so OPERATOR \"SHAPE\""
echo "chapter,kernel,operator,shape,global_load_requests,global_load_sectors,\
global_store_requests,global_store_sectors,shared_load_wavefronts,\
shared_load_conflicts,\
shared_store_wavefronts,shared_store_conflicts"

# Columns come in ncu's own order: look each up by name, sum over kernels.
sum_metrics() {
    awk -F'","' -v want="$(echo "$metrics" | paste -sd' ' -)" '
        /^"ID"/ { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name)
                      column[name] = i }
                  n = split(want, order, " "); next }
        /^"[0-9]+"/ { rows++
                  for (j = 1; j <= n; j++) { v = $(column[order[j]])
                      gsub(/[",]/, "", v); total[j] += v } }
        END { if (!rows) exit 1
              for (j = 1; j <= n; j++) printf ",%d", total[j]
              print "" }'
}

grep -v '^#' "$here/cases" | while read -r chapter kernel op shape; do
    printf '%s,%s,%s,%s' "$chapter" "$kernel" "$op" "$shape"
    ncu --clock-control none --csv --page raw --metrics "$list" \
        "$build/hardware/launch" "$build/hardware/stage/$chapter/$kernel.so" \
        "$op" "$shape" | sum_metrics
done
