# SPDX-License-Identifier: MIT
# What VPL reads, of a class of -v hand_ins, of which -v open were not graded: a
# block of comments, in which a line of text begins with ">", then the grade.
$0 == "<|--" && !inside { inside = 1; blocks++; next }
$0 == "--|>" && inside { inside = 0; next }
inside && /^-NOT GRADED$/ { not_graded++; next }
inside && (/^[->]/ || /^Not graded/) { next }
!inside && /^Grade :=>> [0-9.]+$/ { graded++; sum += $3; next }
!inside && $0 == "" { next }
{ print "VPL would misread: " $0 }
END {
    if (blocks != hand_ins || not_graded != open || graded != hand_ins - open)
        print blocks " blocks, " graded " graded, " not_graded " not"
    if (sum != points)
        print "grades add up to " sum ", not " points
}
