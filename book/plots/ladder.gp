# SPDX-License-Identifier: MIT
# ladder.gp: time of each stage, down to the copy's, a panel per path.
# Variables: data (plots.lua's lines, an index a path), style, panels, names,
# stages (how many), ticks ("'04' 1, '05' 2"), unit, floors ("0.19 0.2": a
# copy's ms, of each panel).

load style
copy_ms(p) = word(floors, p) + 0
least = copy_ms(1)
do for [p = 2:panels] { if (copy_ms(p) < least) { least = copy_ms(p) } }
set xrange [0.6:stages + 0.75]
set logscale y
set yrange [least * 0.5:*]
stats data using 2 nooutput
lowest = least * (narrow ? 0.3 : 0.5) # room for the copy's label
set yrange [lowest:STATS_max * 1.9]
set format y "%g"
set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
eval sprintf("set xtics (%s)", ticks)

set multiplot
do for [p = 1:panels] {
    set lmargin at screen left_of(p)
    set rmargin at screen right_of(p)
    set tmargin at screen top_of(p)
    set bmargin at screen bottom_of(p)
    set label 1 name(p) at screen left_of(p), over(p) textcolor rgb color(p)
    if (p == 1) {
        set label 2 unit at screen (narrow ? 0.84 : 0.02), (narrow ? over(p) : top + 0.02) \
            textcolor rgb ink
    } else {
        unset label 2
        if (!narrow) { set format y "" }
    }
    set label 3 sprintf("a copy: %.3f", copy_ms(p)) at 0.7, copy_ms(p) \
        offset 0,-0.75 textcolor rgb soft font ",11"
    if (p == (narrow ? panels : (panels + 1) / 2)) {
        set xlabel "chapter" textcolor rgb ink offset 0,0.2
    } else { unset xlabel }
    plot copy_ms(p) with lines dashtype 2 linewidth 1.5 linecolor rgb soft, \
        data index p - 1 using 1:2 with linespoints linewidth 2 \
            linecolor rgb color(p) pointtype marker(p) pointsize 0.9, \
        data index p - 1 using 5:4:3 with labels left offset 0.3,0.4 \
            font ",11" textcolor rgb ink
}
unset multiplot
