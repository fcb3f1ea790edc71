# SPDX-License-Identifier: MIT
# roofline.gp: kernels under their ceilings, a panel per operator.
# Variables: data (an index per panel: operations per byte, TFLOP/s, label,
# 1 filled or 0 hollow, height of the label; then one each for the lines of its
# roofs, then one each for their labels), style, panels, names ("forward|input
# gradient"), bandwidth (TB/s), low and high (of y), left and right (of x).

load style
set logscale xy
set xrange [left:right]
set yrange [low:high]
set format x "%g"
set format y "%g"
set grid xtics ytics linecolor rgb line linetype 1
tilt = atan2((top_of(1) - bottom_of(1)) * height / log10(high / low), \
             (right_of(1) - left_of(1)) * width / log10(right / left)) * 180 / pi

set multiplot
do for [p = 1:panels] {
    set lmargin at screen left_of(p)
    set rmargin at screen right_of(p)
    set tmargin at screen top_of(p)
    set bmargin at screen bottom_of(p)
    set label 1 name(p) at screen left_of(p), over(p) textcolor rgb color(p)
    set label 2 sprintf("copy %.2f TB/s", bandwidth) at left * 1.2, \
        bandwidth * left * 1.2 offset 0,0.6 rotate by tilt \
        textcolor rgb soft font ",11"
    if (p == 1) {
        set label 4 "TFLOP/s" at screen (narrow ? 0.84 : 0.02), (narrow ? over(p) : top + 0.02) \
            textcolor rgb ink
    } else {
        unset label 4
        if (!narrow) { set format y "" }
    }
    if (p == (narrow ? panels : (panels + 1) / 2)) {
        set xlabel "useful operations per byte that must move" \
            textcolor rgb ink offset 0,0.2
    } else { unset xlabel }
    plot data index panels + p - 1 using 1:2 with lines linewidth 2 \
            linecolor rgb soft, \
        data index 2 * panels + p - 1 using 1:2:3 with labels right \
            offset 0,0.6 font ",11" textcolor rgb soft, \
        data index p - 1 using 1:2:($4 == 1 ? marker(p) : hollow(p)) \
            with points pointtype variable pointsize 0.9 linecolor rgb color(p), \
        data index p - 1 using 1:5:3 with labels left offset 0.9,-0.3 \
            font ",12" textcolor rgb ink
}
unset multiplot
