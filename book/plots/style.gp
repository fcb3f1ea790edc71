# SPDX-License-Identifier: MIT
# style.gp: what all plots share; loaded first. Colours of the light theme;
# finish.awk adds the dark one's. A path is told by its marker as well as by its
# colour: a circle, a triangle, a square.
#
#   panel(p)   margins and heading of panel p of `panels`, named in `names`

set encoding utf8
set datafile separator "\t"
ink = "#1c2733"
soft = "#5d6b7a"
line = "#d5dae0"
color(i) = word("#0b6257 #a3195b #6b6200", (i - 1) % 3 + 1)
marker(i) = word("7 9 5", (i - 1) % 3 + 1) + 0
hollow(i) = marker(i) - 1

# For a telephone (narrow = 1), panels stand below each other.
if (!exists("narrow")) { narrow = 0 }
below = 250.0 # pixels, from one such panel to the next
width = narrow ? 360.0 : 720.0
height = narrow ? 120 + below * panels : 420.0
set terminal svg size width,height font "sans-serif,13" noenhanced background "#ffffff"
set border 3 linecolor rgb soft
set tics nomirror scale 0 textcolor rgb ink
set grid ytics linecolor rgb line linetype 1
unset key

# Screen coordinates of a panel's frame.
bottom = 0.17
top = 0.76
pitch = 0.90 / panels
left_of(p) = narrow ? 0.14 : 0.085 + (p - 1) * pitch
right_of(p) = narrow ? 0.95 : left_of(p) + pitch - 0.05
top_of(p) = narrow ? 1 - (104 + (p - 1) * below) / height : top
bottom_of(p) = narrow ? top_of(p) - 180 / height : bottom
over(p) = top_of(p) + (narrow ? 14 / height : 0.07)
set bmargin at screen bottom
set tmargin at screen top
name(p) = system(sprintf("echo '%s' | cut -d '|' -f %d", names, p))
