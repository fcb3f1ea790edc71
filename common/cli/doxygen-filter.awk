# SPDX-License-Identifier: MIT
# The house's plain C comments, as Doxygen wants them: the one on top of a file
# documents the file, as it stands; one before a declaration, or behind it on
# its line, documents that.
function harmless(text) # no HTML, no commands, no links in plain words
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
