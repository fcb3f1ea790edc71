-- SPDX-License-Identifier: MIT
-- The filter from the joined book to LaTeX: code within a line may break after
-- _ and /, which TeX would else push into the margin.

local ESCAPED = { ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}",
    ["_"] = "\\_\\allowbreak{}", ["/"] = "/\\allowbreak{}", ["#"] = "\\#",
    ["$"] = "\\$", ["%"] = "\\%", ["&"] = "\\&", ["~"] = "\\textasciitilde{}",
    ["^"] = "\\textasciicircum{}", ["'"] = "\\textquotesingle{}",
    ["`"] = "\\textasciigrave{}", ["-"] = "{-}", ["<"] = "{<}", [">"] = "{>}",
    ['"'] = "\\textquotedbl{}" }

function Code(code)
    return pandoc.RawInline("latex", "\\texttt{" ..
        code.text:gsub("[%\\{}_/#$%%&~^'`<>\"-]", ESCAPED) .. "}")
end
