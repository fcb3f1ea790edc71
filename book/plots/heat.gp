# SPDX-License-Identifier: MIT
# heat.gp: a row per kernel and shape, a column per way, a number and a shade in
# each cell. Variables: data (plots.lua's lines, an index per way: row, text,
# class 1 to 5), style, panels (how many ways), names, count (of lines: rows and
# headings), words ("R8 C9| softmax": what stands in each; a space: it is a row).

load style
ways = panels
row_height = 22.0
above = 116.0 # pixels over the first row: the book's words, the columns' names
height = above + row_height * count + 46
set terminal svg size width,height font "sans-serif,13" noenhanced \
    background "#ffffff"
set border 0
unset xtics
unset ytics
unset grid
shade(k) = word("#6fc0b1 #9bd2c7 #c4e5de #e3f1ee #f3f6f4", k)
left = narrow ? 146.0 : 230.0
set lmargin at screen left / width
set rmargin at screen (narrow ? 0.98 : 0.9)
set tmargin at screen 1 - above / height
set bmargin at screen 46 / height
set xrange [0:ways]
set yrange [count:0]
small = narrow ? ",11" : ",12"
do for [p = 1:ways] {
    set label name(p) at p - 0.5, 0 offset 0,0.5 rotate by (narrow ? 60 : 35) left \
        font small textcolor rgb ink
}
item(i) = system(sprintf("echo '%s' | cut -d '|' -f %d", words, i))
do for [i = 1:count] {
    line_ = item(i)
    if (substr(line_, 1, 1) ne " ") {
        set label line_ at screen 12 / width, first i - 0.4 left font small \
            textcolor rgb soft
    } else {
        set label substr(line_, 2, strlen(line_)) at screen left / width, \
            first i - 0.5 offset -0.8,0 right font small textcolor rgb ink
    }
}
set label "below 40" at screen 12 / width, screen 20 / height left font small \
    textcolor rgb soft
do for [k = 1:5] {
    from = (narrow ? 70.0 : 80.0) + (5 - k) * 30
    set object k rectangle from screen from / width, screen 12 / height \
        to screen (from + 30) / width, screen 28 / height \
        fillcolor rgb shade(k) fillstyle solid 1 noborder
}
set label "95 and more" at screen (narrow ? 226.0 : 236.0) / width, \
    screen 20 / height left font small textcolor rgb soft

plot for [p = 1:ways] for [k = 1:5] data index p - 1 \
        using (p - 0.5):($3 == k ? $1 + 0.5 : NaN):(p - 0.97):(p - 0.03): \
            ($1 + 0.04):($1 + 0.96) with boxxyerror \
        fillstyle solid 1 noborder linecolor rgb shade(k), \
    for [p = 1:ways] data index p - 1 using (p - 0.5):($1 + 0.5): \
        (stringcolumn(2)) with labels font small textcolor rgb ink
