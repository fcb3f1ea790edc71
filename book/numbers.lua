-- SPDX-License-Identifier: MIT
-- Numbers in the tables of the book: a column of nothing but numbers stands to
-- the right, and a whole number of five digits or more gets separators. Loaded
-- by dofile.
--
--   table(t)   pandoc's Table, changed in place
--
-- The hard idea: the Markdown keeps the bare digits, because results are
-- compared with them; only the reader's page separates them.

local M = {}

local function separated(digits)
    local text = digits:reverse():gsub("(%d%d%d)", "%1,"):reverse()
    return (text:gsub("^,", ""))
end

-- A cell's text that is a number, perhaps with a unit; what says "none".
local function is_number(text)
    return text:match("^[-+~<>\u{2212}]*%s*%d[%d.,]*%s*%%?$") or
        text:match("^[-+]?%d[%d.,]*%s?[munkMGKT]?[sBF]?i?B?$") or
        text:match("^%d[%d.,]*x$") or text:match("^1/%d+$")
end
local function is_nothing(text)
    return text == "" or text == "-" or text == "\u{2013}" or
        text == "\u{2014}" or text == "n/a"
end

local function rows_of(t)
    local list = {}
    for _, body in ipairs(t.bodies) do
        for _, row in ipairs(body.body) do list[#list + 1] = row end
    end
    return list
end

local function align(t, rows)
    for i, spec in ipairs(t.colspecs) do
        local numbers, words = 0, 0
        for _, row in ipairs(rows) do
            local cell = row.cells[i]
            local text = cell and pandoc.utils.stringify(cell.contents) or ""
            if is_number(text) then
                numbers = numbers + 1
            elseif not is_nothing(text) then
                words = words + 1
            end
        end
        -- A table's first column is its rows' names, also where these are
        -- numbers.
        if spec[1] == "AlignDefault" and numbers > 0 and words == 0 and i > 1 then
            spec[1] = "AlignRight"
        end
    end
end

local SEPARATE = {
    Code = function() return nil end,
    Str = function(s)
        if s.text:match("^%d%d%d%d%d+$") then
            return pandoc.Str(separated(s.text))
        end
    end,
}

function M.table(t)
    local rows = rows_of(t)
    align(t, rows)
    for _, row in ipairs(rows) do
        for _, cell in ipairs(row.cells) do
            cell.contents = pandoc.walk_block(pandoc.Div(cell.contents),
                SEPARATE).content
        end
    end
    return t
end

return M
