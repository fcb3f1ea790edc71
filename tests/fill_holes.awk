# SPDX-License-Identifier: MIT
# fill_holes.awk: awk -f fill_holes.awk HOLES FILE: FILE with the holes of HOLES
# in place of its own. Fails when FILE has no hole of that name.
/^ *\/\/> todo / { name = $3 }
FNR == NR && /^ *\/\/> todo / { hole[name] = ""; next }
FNR == NR && /^ *\/\/< todo/ { name = ""; next }
FNR == NR { if (name != "") hole[name] = hole[name] $0 "\n"; next }
/^ *\/\/< todo/ { mine = 0 }
!mine { print }
/^ *\/\/> todo / && name in hole {
    printf "%s", hole[name]
    mine = filled[name] = 1
}
END {
    for (name in hole)
        if (!(name in filled))
            exit 1
}
