# SPDX-License-Identifier: MIT
# Turns plain C comments into Doxygen's: the comment at the top documents the
# file, verbatim; a comment before a declaration, or after it on the same line,
# documents the declaration.
function harmless(text) # escapes HTML, commands and links
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/\\/, "\\\\", text)
    gsub(/@/, "\\@", text)
    gsub(/#/, "\\#", text)
    return text
}

/\\$/ { print; next } # within a macro

!inside && /\/\*/ {
    at = index($0, "/*")
    before = substr($0, 1, at - 1)
    text = substr($0, at + 2)
    top = NR == 2 && text !~ /[^ ]/
    inside = text !~ /\*\//
    if (NR == 2 && !top)
        print "/** @file" harmless(text)
    else if (top)
        print before "/** @file\n * @verbatim"
    else
        print before (before ~ /[^ \t]/ ? "/**< " : "/** ") harmless(text)
    next
}

inside && /\*\// {
    inside = 0
    if (top)
        sub(/\*\//, "@endverbatim\n */")
    else
        $0 = harmless($0)
    print
    next
}

inside { print top ? $0 : harmless($0); next }
{ print }
