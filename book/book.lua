-- SPDX-License-Identifier: MIT
-- What the filters of the book share. Loaded by dofile; the working folder is
-- the workbook's root.
--
--   pages()              list of {part, source, name}, in the book's order
--   outline()            the sections of all pages: by page name, then by
--                        anchor; and each page's title
--   resolve(from, link)  a link's target as a path from the root
--   entry(block)         the words that a glossary's entry explains, or nil
--   slug(words)          an anchor of them
--   fail(where, text)    says it and ends pandoc with an error

local book = {}

local function fields(line)
    local list = {}
    for field in (line .. "\t"):gmatch("([^\t]*)\t") do
        list[#list + 1] = field
    end
    return list
end

function book.fail(where, text)
    io.stderr:write(where, ": ", text, "\n")
    os.exit(1)
end

local function lines(path)
    local file = io.open(path)
    if not file then book.fail(path, "cannot be read; run make book") end
    return file:lines()
end

function book.pages(path)
    local list = {}
    for line in lines(path) do
        local f = fields(line)
        list[#list + 1] = { part = f[1], source = f[2], name = f[3] }
    end
    return list
end

-- Lines: page, anchor, level, heading; level 1 is the page's title.
function book.outline(path)
    local titles, anchors = {}, {}
    for line in lines(path) do
        local f = fields(line)
        anchors[f[1]] = anchors[f[1]] or {}
        if f[3] == "1" then titles[f[1]] = f[4] end
        anchors[f[1]][f[2]] = f[4]
    end
    return titles, anchors
end

function book.resolve(from, link)
    local parts = {}
    for part in (from:match("^(.*/)") .. link):gmatch("[^/]+") do
        if part == ".." then
            if #parts == 0 then return nil end
            parts[#parts] = nil
        elseif part ~= "." then
            parts[#parts + 1] = part
        end
    end
    return table.concat(parts, "/")
end

function book.exists(path)
    local file = io.open(path)
    if file then file:close() end
    return file ~= nil
end

function book.escape(text)
    return (text:gsub('[&<>"]', { ["&"] = "&amp;", ["<"] = "&lt;",
        [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- An entry is a paragraph that begins in bold.
function book.entry(block)
    local first = block.t == "Para" and block.content[1]
    if first and first.t == "Strong" then
        return (pandoc.utils.stringify(first):gsub("%.$", ""))
    end
end

function book.slug(words)
    return (words:lower():gsub("[^%w]+", "-"):gsub("^-", ""):gsub("-$", ""))
end

return book
