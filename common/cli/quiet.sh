# SPDX-License-Identifier: MIT
# quiet.sh: had this machine little else to do than a check? Sourced.
#
#   note_time FILE          notes what the processors have done by now, what of
#                           it our ended children did, and a clock
#   quiet_between ONE TWO   exit code 0: between these two notes $QUIET percent
#                           of the processors' time was idle or our children's,
#                           and the machine did not stand still
#
# The hard idea: Linux counts a processor's time only while the machine runs. A
# virtual machine that was suspended has counted less than its clock says.
# shellcheck shell=sh
QUIET=${QUIET:-50}
STAT=${STAT:-/proc/stat} # the tests' own

# A subshell's `times` would not know of our children.
note_time()
{
    {
        grep '^cpu' "$STAT"
        echo "clock $(date +%s)"
        times
    } >"$1"
}

# The figures are those of proc(5), in hundredths of a second.
quiet_between()
{
    awk -F '[ms ]+' -v quiet="$QUIET" '
        FNR == 1 { note++ }
        $1 == "cpu" {
            for (i = 2; i <= 9; i++)
                all[note] += $i
            idle[note] = $5 + $6
        }
        /^cpu[0-9]/ { processors[note]++ }
        $1 == "clock" { clock[note] = $2 }
        /^[0-9]+m/ { ours[note] = 60 * ($1 + $3) + $2 + $4 }
        END {
            n = all[2] - all[1]
            seconds = clock[2] - clock[1]
            free = idle[2] - idle[1] + 100 * (ours[2] - ours[1])
            exit !(n > 0 && n >= 75 * processors[2] * seconds &&
                100 * free >= quiet * n)
        }' "$1" "$2"
}
