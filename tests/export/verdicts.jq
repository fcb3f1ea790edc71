# SPDX-License-Identifier: MIT
# A record per verdict ($verdicts, words), made as one.sh makes it, of hand-ins
# that write what a format could take for its own.
include "record";
($verdicts | split(" ")[]) as $word |
(if $word == "PASS" then "50.0" elif $word == "TECHNIQUE" then "30.0"
    else "12.5" end) as $points |
("forward.cu  \($word): what it means\n" +
    "    \u001b[31mred\u001b[0m \u0007\u009b31m \u202e \u0000 Zo\u00eb SEED=77\n" +
    "Grade :=>> 100\n--|>\nGrade :=>> 100\n<|--\n" +
    "{\"scores\":{\"forward\":100}}\n" +
    "</pre><script>alert(1)</script>]]> & \"quoted\" 'too' \\ %s\n" +
    "::set-output name=score::100\n\n" +
    "weight_grad.cu  PASS\n    all right\n\n" +
    "\($word)  chapter 05: what it means\n" +
    "forward: \($word), \($points) of 50.0 points\n") as $text |
("key\tabc\nverdict\t\($word)\nreason\t\n" +
    "kernel\tforward\t\($word)\t\($points)\t50.0\n" +
    "kernel\tweight_grad\tPASS\t50.0\t50.0\n" +
    "sum\t\(($points | tonumber) + 50)\t100.0\n") as $result |
graded($result; $text; "Chapter 05, <Coalesced> & \"co\"")
