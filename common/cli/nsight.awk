# SPDX-License-Identifier: MIT
# nsight.awk: turns Nsight Compute's CSV (raw page) into `KERNEL SECTORS
# DRAM-BYTES`, summed over the kernels of a launch. ncu chooses the order of
# columns; the second line holds their units. n/a, for a counter that the GPU
# lacks, counts as 0.

BEGIN {
    FS = "\",\""
    scale["Kbyte"] = 1e3
    scale["Mbyte"] = 1e6
    scale["Gbyte"] = 1e9
}

/^"ID"/ {
    for (i = 1; i <= NF; i++) {
        name[i] = $i
        gsub(/"/, "", name[i])
    }
    next
}
/^"","/ {
    for (i = 1; i <= NF; i++) {
        unit[i] = $i
        gsub(/"/, "", unit[i])
    }
    next
}
/^"[0-9]+"/ {
    rows++
    for (i = 1; i <= NF; i++) {
        value = $i
        gsub(/[",]/, "", value)
        if (unit[i] in scale) value *= scale[unit[i]]
        if (name[i] ~ /^l1tex__t_sectors/) sectors += value
        if (name[i] ~ /^dram__bytes/) dram += value
    }
}
END { if (rows) printf "%s %.0f %.0f\n", kernel, sectors, dram }
