# SPDX-License-Identifier: MIT
# feedback.sh: a grader's report as what its student may see; sourced.
#
#   clean_text       a filter: no seed, no line that repeats a case by it, no
#                    folder of this machine, no time that the check took, and
#                    nothing that a terminal or a page takes for a command
#   no_controls      a filter: UTF-8, without what a terminal obeys, and without
#                    what turns the direction of writing
#   feedback_page    a page from feedback.txt (stdin) and RESULT: see there
#
# All that a student wrote or printed is text here, and stays text.
# shellcheck shell=sh

# A few bytes of UTF-8: the controls from 80 to 9f, and what turns the
# direction of writing.
turns=$(printf 's/\302[\200-\237]//g;s/\342\200[\250-\256]//g
s/\342\201[\246-\251]//g')

no_controls()
{
    LC_ALL=C tr -d '\000-\010\013-\037\177' |
        iconv -c -f UTF-8 -t UTF-8 | LC_ALL=C sed -e "$turns"
}

clean_text()
{
    no_controls |
        LC_ALL=C sed -e '/^the hand-in: /d' -e '/^ *repeat /d' \
            -e 's/ Seed [0-9]*,//' -e 's/SEED=[0-9]*/SEED=.../g' \
            -e 's|/handin/||g; s|/workbook/||g; s|/tmp/[^ :]*||g' \
            -e 's|/usr/[^ :"]*/||g; s|/proc/[^ :"]*||g' \
            -e "s|$CUDA_HOME/|cuda/|g" \
            -e '/^[A-Z]*  chapter [0-9]/s/; [0-9.]* s$//'
}

# RESULT's kernels and points on top; then the report's parts. Its lines begin
# with a kernel's file, or with a label of up to 7 letters behind 4 blanks.
feedback_page() # TITLE RESULT
{
    awk -F '\t' -v title="$1" '
        function safe(text)
        {
            gsub(/&/, "\\&amp;", text)
            gsub(/</, "\\&lt;", text)
            gsub(/>/, "\\&gt;", text)
            gsub(/"/, "\\&quot;", text)
            return text
        }
        function close_part() { if (open) print "</pre>"; open = 0 }
        FNR == 1 && NR == 1 {
            print "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
            print "<title>" safe(title) "</title>"
            print "<meta name=\"viewport\" content=\"width=device-width\">"
            print "<style>body{font:1em/1.5 sans-serif;max-width:50em;" \
                "margin:2em auto;padding:0 1em}pre{white-space:pre-wrap;" \
                "background:#f3f3f3;padding:.7em}td,th{padding:.2em 1em;" \
                "text-align:left}td:nth-child(n+3){text-align:right}</style>"
            print "<h1>" safe(title) "</h1>"
            print "<table><tr><th>kernel<th>verdict<th>points<th>of"
        }
        FNR == NR && $1 == "kernel" {
            printf "<tr><td>%s<td>%s<td>%s<td>%s\n", safe($2), safe($3), $4, $5
        }
        FNR == NR && $1 == "late" && $2 > 0 {
            printf "<tr><td>late<td>days: %s<td>-%s<td>\n", $2, $3
        }
        FNR == NR && $1 == "sum" {
            printf "<tr><th>sum<td><td>%s<td>%s\n</table>\n", $2, $3
        }
        FNR == NR { next }
        /^[a-z0-9_]+[.]cu?  [A-Z]+/ {
            close_part()
            print "<h2>" safe($0) "</h2>"
            next
        }
        $0 != "" && !open { print "<pre>"; open = 1 }
        open { print safe($0) }
        END { close_part(); print "</html>" }' "$2" -
}
