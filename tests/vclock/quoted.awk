# SPDX-License-Identifier: MIT
# quoted.awk: updates a page's quotes of check's output.
#
#   awk -v check="build/bin/check ..." -f quoted.awk PAGE
#
# After `<!-- check: WORDS /FIRST/ /LAST/ -->` follows a block with the lines of
# `check WORDS` from the first that matches FIRST to the next that matches LAST.
# On the virtual clock the seed determines every digit.
function patterns(line)
{
    n = split(line, part, "/")
    first = part[2]
    last = part[4]
    sub(/.*<!-- check: /, "", part[1])
    words = part[1]
}

function quote(command, inside, line)
{
    command = check " " words " 2>&1"
    while ((command | getline line) > 0) {
        inside = inside || line ~ first
        if (inside)
            print line
        if (inside && line ~ last)
            break
    }
    close(command)
}

/^<!-- check: / { patterns($0); waiting = 1 }
/^```$/ && waiting { print; quote(); waiting = 0; skipping = 1; next }
/^```$/ { skipping = 0 }
!skipping { print }
