-- SPDX-License-Identifier: MIT
-- The lists of pages in HTML. Loaded by dofile, like book.lua.
--
--   nav(pages, titles, here)      the links beside every page
--   cards(pages, titles, leads)   the contents on the first page: a card per
--                                 page with its first sentences
--   leads(sections)               those sentences, by page name
--
-- A chapter that is still to come has a line of its own in book/road.tsv.

local book = dofile("book/book.lua")
local M = {}

local PARTS = { { "front", "Before you start" }, { "chapter", "Chapters" },
    { "appendix", "Appendices" } }

-- "04 Depthwise convolution" with its number in a column of its own.
local function numbered(title)
    local number, rest = title:match("^(%d%d) (.*)$")
    if not number then return book.escape(title) end
    return '<span class="number">' .. number .. "</span> <span>" ..
        book.escape(rest) .. "</span>"
end

local function parts(pages, item)
    local out = {}
    for _, part in ipairs(PARTS) do
        local items = {}
        for _, page in ipairs(pages) do
            if page.part == part[1] then items[#items + 1] = item(page) end
        end
        if #items > 0 then
            out[#out + 1] = { part[1], part[2], items }
        end
    end
    return out
end

function M.nav(pages, titles, here)
    local out = {}
    for _, part in ipairs(parts(pages, function(page)
        return string.format('<li><a href="%s.html"%s>%s</a></li>', page.name,
            page.name == here and ' aria-current="page"' or "",
            numbered(titles[page.name]))
    end)) do
        out[#out + 1] = '<p class="part">' .. part[2] .. "</p>\n<ul>\n" ..
            table.concat(part[3], "\n") .. "\n</ul>"
    end
    return table.concat(out, "\n")
end

local ENOUGH = 60 -- characters; below that a lead takes one more sentence

local function lead_of(text)
    local lead = ""
    while #lead < ENOUGH do
        local next = text:match("^%s*.-[.:;!?]%f[%s]", #lead + 1)
        if not next then break end
        lead = lead .. next
    end
    return ((lead ~= "" and lead or text):gsub("[:;]$", "."))
end

-- The first sentences of each page's text before its first heading.
function M.leads(path)
    local list = {}
    for line in io.lines(path) do
        local page, anchor, level, _, text = line:match(
            "^([^\t]*)\t([^\t]*)\t(%d)\t([^\t]*)\t([^\t]*)")
        if level == "1" and anchor == "" then
            list[page] = lead_of(text)
        end
    end
    return list
end

local function to_come(pages, items)
    local there = {}
    for _, page in ipairs(pages) do
        there[page.name:match("^%d%d") or ""] = true
    end
    for line in io.lines("book/road.tsv") do
        local number, title = line:match("^(%d%d)\t(.*)$")
        if number and not there[number] then
            items[#items + 1] = string.format('<li class="later"><div>' ..
                "<strong>%s</strong><small>To come</small></div></li>",
                numbered(number .. " " .. title))
        end
    end
end

function M.cards(pages, titles, leads)
    local out = {}
    for _, part in ipairs(parts(pages, function(page)
        return string.format('<li><a href="%s.html"><strong>%s</strong>' ..
            "<small>%s</small></a></li>", page.name,
            numbered(titles[page.name]), book.escape(leads[page.name] or ""))
    end)) do
        if part[1] == "chapter" then to_come(pages, part[3]) end
        out[#out + 1] = string.format('<p class="part">%s</p>\n' ..
            '<ul class="%s">\n%s\n</ul>', part[2], part[1],
            table.concat(part[3], "\n"))
    end
    return table.concat(out, "\n")
end

return M
