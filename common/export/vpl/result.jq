# SPDX-License-Identifier: MIT
# A record as Moodle's VPL reads it: a block of comments, then the grade, on the
# activity's scale. Behind ">" a line is text whatever it holds. What was not
# graded has no line with a grade, so VPL proposes none.
include "record";
(env.VPL_GRADEMIN // "0" | tonumber) as $low |
(env.VPL_GRADEMAX // "100" | tonumber) as $high |
"<|--",
if .graded then
    "-" + sentence, (.text | split("\n")[] | ">" + .), "--|>", "",
    "Grade :=>> \(($low + .points / .of * ($high - $low)) * 100 | round / 100)"
else "-NOT GRADED", not_graded, "--|>" end
