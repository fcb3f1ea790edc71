# SPDX-License-Identifier: MIT
# record.jq: what make grade left of a hand-in, or check's own report, as one
# record. Every format's result.jq makes its text from it and from nothing else.
#
#   jq -n -L DIR --rawfile result F --rawfile feedback F --arg title T
#       'include "record"; graded($result; $feedback; $title)'
#   jq -L DIR 'include "record"; checked' REPORT.json
#
# A record: {title, graded, verdict, reason, points, of, text, kernels: [{name,
# verdict, fault, points, of, text}]}. `graded` is false where the machine or
# the workbook is to blame, be it for one kernel, on which a person decides: then
# there are no points anywhere, and no format may show a number. fault: "" for PASS, "you", or "machine".
#
# The hard idea: names and texts are a student's. They have no control codes
# when they leave here, and what else a format takes for a sign, its result.jq
# escapes.

def most_text: 20000; # characters; PrairieLearn takes 1 MB in all

# No control codes, C1 ones and marks of writing direction included.
def clean:
    gsub("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x{9f}\\x{202a}-\\x{202e}" +
        "\\x{2066}-\\x{2069}\\x{feff}\\x{fffe}\\x{ffff}]"; "") |
    gsub("SEED=[0-9]+"; "SEED=...") |
    if length > most_text then .[0:most_text] + "\n..." else . end;

# Of a report, the lines below a kernel's file.
def section($name):
    reduce split("\n")[] as $line ({inside: false, lines: []};
        if ($line | test("^[a-z0-9_]+[.]cu?  [A-Z]|^[A-Z]+  chapter |" +
            "^[a-z0-9_]+: [A-Z]+, ")) then
            .inside = ($line | startswith($name + ".c"))
        else . end |
        if .inside then .lines += [$line] else . end) |
    .lines | join("\n") | sub("\\n+$"; "");

def number_of: tonumber;

def graded($result; $feedback; $title):
    [$result | split("\n")[] | select(. != "") | split("\t")] as $lines |
    ($feedback | clean) as $text |
    def value($key): [$lines[] | select(.[0] == $key)][0];
    (value("verdict")[1] // "UNGRADED") as $verdict |
    [$lines[] | select(.[0] == "kernel" and .[3] == "")] as $open |
    ($verdict != "UNGRADED" and $open == []) as $is_graded |
    {
        title: $title,
        graded: $is_graded,
        verdict: (if $is_graded then $verdict else "UNGRADED" end),
        reason: ((value("reason")[1] // "") | clean),
        points: (if $is_graded then value("sum")[1] | number_of else null end),
        of: ((value("sum")[2] // "0") | number_of),
        text: $text,
        kernels: [$lines[] | select(.[0] == "kernel") | .[1] as $name | {
            name: $name,
            verdict: (if $is_graded then .[2] else "UNGRADED" end),
            fault: (if $is_graded | not then "machine"
                elif .[2] == "PASS" then "" else "you" end),
            points: (if $is_graded then .[3] | number_of else null end),
            of: (.[4] | number_of),
            text: ($text | section($name))
        }]
    } |
    if .graded and .of <= 0 then error("a result without points") else . end;

# check's own report: nobody gives points, so a kernel is worth 1.
def checked:
    [.kernels[] | {
        name, verdict,
        fault: (if .verdict == "PASS" then ""
            elif .owner == "you" then "you" else "machine" end),
        points: (if .verdict == "PASS" then 1 else 0 end),
        of: 1,
        text: ((.evidence // "") | clean)
    }] as $kernels |
    {
        title: "Chapter \(.chapter)",
        graded: ([$kernels[] | select(.fault == "machine")] == []),
        verdict, reason: "",
        points: ([$kernels[].points] | add),
        of: ($kernels | length),
        text: "",
        kernels: $kernels
    };

# What the kernels are worth, in whole $units, as parts that add up where a
# platform adds them: three of 100 in tenths are 33.3, 33.4, 33.3.
def shares($unit):
    .of as $of | ([.kernels[].of] | add) as $sum |
    [foreach .kernels[].of as $part ({sum: 0, before: 0, now: 0};
        .before = .now | .sum += $part |
        .now = (.sum / $sum * $of / $unit | round);
        .now - .before)];

# Of a kernel: what part of its points it has. One may be worth none.
def part:
    if .of > 0 then .points / .of elif .verdict == "PASS" then 1 else 0 end;

# The kernels' points, of those shares.
def earned($unit):
    [shares($unit), .kernels] | transpose |
    map(.[0] * (.[1] | part) | round);

# Words that formats share.
def not_graded: "Not graded, and that is not your fault: " +
    "the grader's machine could not check this hand-in.";
def sentence: "\(.verdict), \(.points) of \(.of) points"; # of all, or a kernel
