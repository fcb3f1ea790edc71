#!/bin/sh
# SPDX-License-Identifier: MIT
# Records what Nsight Compute counts for every solution, on a machine with a
# GPU and counters permitted, as CSV on standard output:
#
#   make hardware && tests/hardware/record.sh build >tests/hardware/h200.csv
#   tests/hardware/record.sh build traffic \
#       tests/hardware/timed >tests/hardware/traffic-h200.csv
#   tests/hardware/record.sh build busy \
#       tests/hardware/busy >tests/hardware/busy-h200.csv
#
# A row: chapter, kernel, operator, shape, then the counters of the set below,
# summed over the kernels of one launch. The simulated GPU must count the set
# `access` exactly; its traffic model is compared with the set `traffic`. The
# lessons explain from the set `busy`.
set -eu
build=${1:-build}
set=${2:-access}
here=$(dirname "$0")
cases=${3:-$here/cases}

# COLUMN METRIC: a metric that this Nsight lacks makes an empty column.
access='global_load_requests l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
global_load_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
global_store_requests l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
global_store_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
shared_load_requests smsp__sass_inst_executed_op_shared_ld.sum
shared_load_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
shared_load_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
shared_store_requests smsp__sass_inst_executed_op_shared_st.sum
shared_store_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
shared_store_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
async_copy_requests smsp__sass_inst_executed_op_ldgsts.sum
async_copy_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum
local_load_requests smsp__sass_inst_executed_op_local_ld.sum
local_store_requests smsp__sass_inst_executed_op_local_st.sum'

traffic='nanoseconds gpu__time_duration.sum
clock_hz smsp__cycles_elapsed.avg.per_second
warp_instructions smsp__inst_executed.sum
lane_instructions smsp__thread_inst_executed.sum
issue_active_percent smsp__issue_active.avg.pct_of_peak_sustained_active
warps_active_percent sm__warps_active.avg.pct_of_peak_sustained_active
l1_load_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1_load_hits l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
l2_read_sectors lts__t_sectors_srcunit_tex_op_read.sum
l2_write_sectors lts__t_sectors_srcunit_tex_op_write.sum
memory_read_bytes dram__bytes_read.sum
memory_write_bytes dram__bytes_write.sum
shared_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
lsu_wavefronts l1tex__data_pipe_lsu_wavefronts.sum
local_load_requests smsp__sass_inst_executed_op_local_ld.sum
local_store_requests smsp__sass_inst_executed_op_local_st.sum'

# Percent of what the unit could do; then how many warps, on average, wait for
# what while an instruction is issued.
stalled=smsp__average_warps_issue_stalled
busy="nanoseconds gpu__time_duration.sum
issue smsp__issue_active.avg.pct_of_peak_sustained_active
fma sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
lsu sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active
l1 l1tex__throughput.avg.pct_of_peak_sustained_active
l1_data l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active
l1_hits l1tex__t_sector_hit_rate.pct
l2 lts__throughput.avg.pct_of_peak_sustained_elapsed
memory dram__throughput.avg.pct_of_peak_sustained_elapsed
warps sm__warps_active.avg.pct_of_peak_sustained_active
wait_global ${stalled}_long_scoreboard_per_issue_active.ratio
wait_shared ${stalled}_short_scoreboard_per_issue_active.ratio
wait_lsu ${stalled}_lg_throttle_per_issue_active.ratio
wait_mio ${stalled}_mio_throttle_per_issue_active.ratio
wait_barrier ${stalled}_barrier_per_issue_active.ratio
wait_fixed ${stalled}_wait_per_issue_active.ratio
wait_math ${stalled}_math_pipe_throttle_per_issue_active.ratio
wait_fetch ${stalled}_no_instruction_per_issue_active.ratio
not_selected ${stalled}_not_selected_per_issue_active.ratio"

case $set in
access) table=$access ;;
traffic) table=$traffic ;;
busy) table=$busy ;;
*) echo "record.sh: no set of counters '$set'" >&2 && exit 2 ;;
esac
known=$(ncu --query-metrics --query-metrics-mode all 2>/dev/null) || known=
[ -n "$known" ] || known=$(ncu --query-metrics)
columns=
list=
for word in $(echo "$table" | tr ' ' '='); do
    base=${word#*=}
    columns="$columns,${word%%=*}"
    if echo "$known" | grep -q "^${base%%.*}"; then
        list="$list,$base"
    else
        echo "record.sh: this Nsight has no ${base%%.*}" >&2
    fi
done
list=${list#,}

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
echo "# GPU, driver: $gpu"
echo "# toolkit: $toolkit; $(ncu --version | tail -n 1)"
commit=${COMMIT:-$(git rev-parse --short HEAD)}
echo "# date: $(date -u +%Y-%m-%d); commit: $commit"
echo "# made by: tests/hardware/record.sh $build $set, which runs for each row"
echo "#   ncu --clock-control none --csv --page raw --metrics $list \\"
echo "#     $build/hardware/launch" \
    "$build/hardware/stage/CHAPTER/KERNEL.so OPERATOR \"SHAPE\""
echo "chapter,kernel,operator,shape$columns"

# Columns come in ncu's own order: look each up by name, sum over kernels. A
# share, a ratio or a clock is not summed: that of the longest kernel stands.
sum_metrics() {
    awk -F'","' -v want="$(echo "$table" | sed 's/.* //' | paste -sd' ' -)" '
        /^"ID"/ { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name)
                      column[name] = i }
                  n = split(want, order, " "); next }
        /^"[0-9]+"/ {
            rows++
            time = "gpu__time_duration.sum" in column ? \
                $(column["gpu__time_duration.sum"]) : 1
            gsub(/[",]/, "", time)
            for (j = 1; j <= n; j++) {
                if (!(order[j] in column)) continue
                v = $(column[order[j]])
                gsub(/[",]/, "", v)
                there[j] = 1
                if (order[j] !~ /pct|per_second|ratio/) total[j] += v
                else if (time + 0 > longest) total[j] = v
            }
            if (time + 0 > longest) longest = time + 0
        }
        END { if (!rows) exit 1
              for (j = 1; j <= n; j++)
                  if (!there[j]) printf ","
                  else printf total[j] == int(total[j]) ? ",%.0f" : ",%.3f",
                      total[j]
              print "" }'
}

grep -v '^#' "$cases" | while read -r chapter kernel op shape; do
    printf '%s,%s,%s,%s' "$chapter" "$kernel" "$op" "$shape"
    ncu --clock-control none --csv --page raw --print-units base \
        --metrics "$list" "$build/hardware/launch" \
        "$build/hardware/stage/$chapter/$kernel.so" "$op" "$shape" |
        sum_metrics
done
