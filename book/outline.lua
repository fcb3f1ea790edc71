-- SPDX-License-Identifier: MIT
-- A filter that prints a page's sections, `NAME<TAB>ANCHOR<TAB>LEVEL<TAB>HEADING
-- <TAB>TEXT<TAB>TERMS` per line: what links, contents and search know of the
-- page. Metadata `name` is NAME. TERMS are the words that the section explains,
-- each followed by `;`: those that it emphasises. An entry of a glossary (a
-- paragraph that begins in bold, on a page without further headings) is a section
-- of level 8; an id that is not on a heading is a line of level 9.

PANDOC_VERSION:must_be_at_least("2.17")

local book = dofile("book/book.lua")

local function clean(text)
    return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

local PLAIN = { Emph = function(e) return e.content end,
    Strong = function(e) return e.content end,
    Math = function(e) return pandoc.Str(e.text) end,
    Quoted = function(e) return e.content end,
    RawInline = function() return {} end,
    RawBlock = function() return {} end }
local UNWRAPPED = { wrap_text = "wrap-none" }

-- The words of a block, as a reader sees them.
local function words(block)
    local div = pandoc.walk_block(pandoc.Div({ block }), PLAIN)
    local text = pandoc.write(pandoc.Pandoc({ div }), "plain",
        pandoc.WriterOptions(UNWRAPPED))
    return (text:gsub("%-%-%-+", " "))
end

local function terms(blocks)
    local list = {}
    pandoc.walk_block(pandoc.Div(blocks), { Emph = function(e)
        list[#list + 1] = clean(pandoc.utils.stringify(e)):lower() .. ";"
    end })
    return table.concat(list)
end

local function has_sections(doc)
    for _, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level > 1 then return true end
    end
    return false
end

function Pandoc(doc)
    local name = pandoc.utils.stringify(doc.meta.name)
    local sections = { { anchor = "", level = 1, heading = name, text = {},
        blocks = {} } }
    local glossary = not has_sections(doc)

    for _, block in ipairs(doc.blocks) do
        local section = sections[#sections]
        local entry = glossary and book.entry(block)

        if block.t == "Header" and block.level == 1 then
            section.heading = clean(pandoc.utils.stringify(block))
        elseif block.t == "Header" then
            sections[#sections + 1] = { anchor = block.identifier,
                level = block.level, text = {}, blocks = {},
                heading = clean(pandoc.utils.stringify(block)) }
        elseif entry then
            sections[#sections + 1] = { anchor = book.slug(entry), level = 8,
                text = { words(block) }, blocks = {}, heading = entry }
        elseif block.t ~= "RawBlock" then
            section.text[#section.text + 1] = words(block)
            section.blocks[#section.blocks + 1] = block
        end
    end
    for _, s in ipairs(sections) do
        io.write(table.concat({ name, s.anchor, s.level, s.heading,
            clean(table.concat(s.text, " ")), terms(s.blocks) }, "\t"), "\n")
    end
    pandoc.walk_block(pandoc.Div(doc.blocks), { Div = function(e)
        if e.identifier ~= "" then
            io.write(name, "\t", e.identifier, "\t9\t\t\n")
        end
    end })
    return pandoc.Pandoc({})
end
