# SPDX-License-Identifier: MIT
# What Autolab reads, of a class of -v hand_ins, of which -v open were not
# graded. Scores are lines of JSON; all else must not look like it.
/^Not graded/ { not_graded++; next }
/^\{"scores":\{"forward":[0-9.]+,"weight_grad":[0-9.]+\},"scoreboard":\[[0-9.]+\]\}$/ {
    graded++
    next
}
/^  / { next }
{ print "a line of its own: " $0 }
END {
    if (not_graded != open || graded != hand_ins - open)
        print graded " graded, " not_graded " not"
}
