# SPDX-License-Identifier: MIT
# bars.gp: three bars a path: its time, what it moves at the copy's speed, and
# the floor. Variables: data (a row a path: name, ms; a dash is not known),
# style, paths, longest (ms), time_word ("measured").

panels = 1
load style
set datafile missing "-"
set lmargin at screen 0.17
set rmargin at screen 0.95
set border 1
set grid xtics noytics linecolor rgb line linetype 1
set xlabel "ms" textcolor rgb ink offset 0,0.2
set yrange [paths + 0.55:0.45]
set format x "%g"
set style fill solid 1.0
thick = 0.24

set xrange [0:longest * 1.4]
plot for [p = 1:paths] data every ::p - 1::p - 1 using ($2 / 2):(p - 0.26): \
        (0):2:(p - 0.26 - thick / 2):(p - 0.26 + thick / 2) with boxxyerror \
        fillstyle solid 1 border linecolor rgb color(p) linecolor rgb color(p), \
    for [p = 1:paths] data every ::p - 1::p - 1 using ($3 / 2):(p): \
        (0):3:(p - thick / 2):(p + thick / 2) with boxxyerror \
        fillstyle pattern 5 border linecolor rgb color(p) \
        linecolor rgb color(p), \
    for [p = 1:paths] data every ::p - 1::p - 1 using ($4 / 2):(p + 0.26): \
        (0):4:(p + 0.26 - thick / 2):(p + 0.26 + thick / 2) with boxxyerror \
        fillstyle empty border linecolor rgb color(p) linecolor rgb color(p) \
        linewidth 1.5, \
    data using 2:($0 + 0.74):(sprintf("%#.3g %s", $2, time_word)) with labels \
        left offset 0.6,0 font ",11" textcolor rgb ink, \
    data using 3:($0 + 1):(sprintf("%#.3g for what it moves", $3)) with labels \
        left offset 0.6,0 font ",11" textcolor rgb ink, \
    data using 4:($0 + 1.26):(sprintf("%#.3g the floor", $4)) with labels \
        left offset 0.6,0 font ",11" textcolor rgb ink, \
    data using (0):($0 + 1):yticlabels(1) with points pointtype -1
