-- SPDX-License-Identifier: MIT
-- The filter from the joined book to LaTeX: code within a line may break after
-- _ and /, which TeX would else push into the margin; tables are as wide as
-- what is in them; short tables and listings are not split.

local LINE = 72 -- characters, some of them code, that fit between the margins
local MANY = 7 -- columns, above which a table is set smaller and closer
local SMALL_LINE = 100 -- characters of that size
local PAGE = 18 -- lines that may be kept together: more leave pages half empty

local ESCAPED = { ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}",
    ["_"] = "\\_\\allowbreak{}", ["/"] = "/\\allowbreak{}", ["#"] = "\\#",
    ["$"] = "\\$", ["%"] = "\\%", ["&"] = "\\&", ["~"] = "\\textasciitilde{}",
    ["^"] = "\\textasciicircum{}", ["'"] = "\\textquotesingle{}",
    ["`"] = "\\textasciigrave{}", ["-"] = "{-}", ["<"] = "{<}", [">"] = "{>}",
    ['"'] = "\\textquotedbl{}" }

local function Code(code)
    return pandoc.RawInline("latex", "\\texttt{" ..
        code.text:gsub("[%\\{}_/#$%%&~^'`<>\"-]", ESCAPED) .. "}")
end

local function CodeBlock(block)
    local _, breaks = block.text:gsub("\n", "")
    if breaks > PAGE then return end
    return { pandoc.RawBlock("latex", "\\begin{unsplit}"), block,
        pandoc.RawBlock("latex", "\\end{unsplit}") }
end

-- "17 %" stays in one line; a table's last three rows stay together.
local NARROW = "\u{a0}"

local function Inlines(list)
    for i = 2, #list - 1 do
        if list[i].t == "Space" and list[i + 1].t == "Str" and
            list[i + 1].text:match("^%%") and list[i - 1].t == "Str" and
            list[i - 1].text:match("%d$") then
            list[i] = pandoc.Str(NARROW)
        end
    end
    return list
end

local function kept_rows(t)
    local text = pandoc.write(pandoc.Pandoc({ pandoc.walk_block(t,
        { Code = Code }) }), "latex")
    local head, rows, foot = text:match("^(.*\\endhead\n)(.*)(\\bottomrule.*)$")
    if not head then return t end
    local _, n = rows:gsub("\\\\\n", "")
    local at = 0
    rows = rows:gsub("\\\\\n", function()
        at = at + 1
        return at >= n - 2 and at < n and "\\\\*\n" or nil
    end)
    return pandoc.RawBlock("latex", head .. rows .. foot)
end

local SMALLER = "\\footnotesize\\setlength{\\tabcolsep}{3pt}\n"

-- In one piece, and with the line that introduces it.
local function unsplit(t)
    local table = pandoc.walk_block(t, { Code = Code })
    local text = pandoc.write(pandoc.Pandoc({ table }), "latex")
    text = text:gsub("\\begin{longtable}%[%]", "\\begin{tabular}")
        :gsub("\\endhead\n", ""):gsub("\\end{longtable}", "\\end{tabular}")
    local size = #t.colspecs > MANY and SMALLER or ""
    return pandoc.RawBlock("latex", "\\par\\nopagebreak\\begin{center}\n" .. size ..
        text .. "\n\\end{center}")
end

local function each_row(t, act)
    for _, row in ipairs(t.head.rows) do act(row) end
    for _, body in ipairs(t.bodies) do
        for _, row in ipairs(body.body) do act(row) end
    end
end

-- The longest cell of each column, in characters.
local function widths(t)
    local longest = {}
    each_row(t, function(row)
        for i, cell in ipairs(row.cells) do
            local text = pandoc.utils.stringify(cell.contents)
            longest[i] = math.max(longest[i] or 1, utf8.len(text) or #text)
        end
    end)
    return longest
end

-- The longest part of each column that cannot be broken, in characters.
local function longest_words(t)
    local longest = {}
    each_row(t, function(row)
        for i, cell in ipairs(row.cells) do
            local text = pandoc.utils.stringify(cell.contents)
            for word in text:gmatch("[^%s/_-]+") do
                longest[i] = math.max(longest[i] or 1, utf8.len(word) or #word)
            end
        end
    end)
    return longest
end

local function sum(list)
    local total = 0
    for _, n in ipairs(list) do total = total + n end
    return total
end

local function lines(t, longest, share)
    local total = 2
    each_row(t, function(row)
        local most = 1
        for i, cell in ipairs(row.cells) do
            local text = pandoc.utils.stringify(cell.contents)
            most = math.max(most, math.ceil(#text / (share[i] * LINE)))
        end
        total = total + 1.25 * most
    end)
    return math.ceil(total)
end

-- A table that is too wide gives each column room for its longest word, and the
-- rest by the root of what is in them: long ones get more, short ones enough.
local function Table(t)
    local longest, share = widths(t), {}
    local many = #longest > MANY
    local wide = sum(longest) + (many and 2 or 3) * #longest >
        (many and SMALL_LINE or LINE)
    local roots = {}
    for i, n in ipairs(longest) do roots[i] = math.sqrt(n) end
    -- Enough for the longest word comes first.
    local least, line = longest_words(t), many and SMALL_LINE or LINE
    for i in ipairs(roots) do least[i] = 1.4 * (least[i] or 1) / line end
    local left, total = math.max(1 - sum(least), 0), sum(roots)
    local all, specs = left + sum(least), {}
    for i in ipairs(longest) do
        share[i] = wide and (least[i] + left * roots[i] / total) / all or 1
        specs[i] = { t.colspecs[i][1], wide and share[i] or nil }
    end
    t.colspecs = specs
    if lines(t, longest, share) <= PAGE then return unsplit(t) end
    if not many then return kept_rows(t) end
    return { pandoc.RawBlock("latex", "\\begingroup" .. SMALLER), kept_rows(t),
        pandoc.RawBlock("latex", "\\endgroup") }
end

-- Code last: a table must still see its words to know their width.
return { { Inlines = Inlines }, { CodeBlock = CodeBlock, Table = Table }, { Code = Code } }
