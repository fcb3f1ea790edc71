-- SPDX-License-Identifier: MIT
-- A filter that prints a page's sections, `NAME<TAB>ANCHOR<TAB>LEVEL<TAB>HEADING
-- <TAB>TEXT` a line: what links, contents and search know of the page. An id
-- that is not on a heading is a line of level 9. Metadata `name` is NAME.

PANDOC_VERSION:must_be_at_least("2.17")

local function clean(text)
    return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

local PLAIN = { Emph = function(e) return e.content end,
    Strong = function(e) return e.content end,
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

function Pandoc(doc)
    local name = pandoc.utils.stringify(doc.meta.name)
    local sections = { { anchor = "", level = 1, heading = name, text = {} } }

    for _, block in ipairs(doc.blocks) do
        local section = sections[#sections]

        if block.t == "Header" and block.level == 1 then
            section.heading = clean(pandoc.utils.stringify(block))
        elseif block.t == "Header" then
            sections[#sections + 1] = { anchor = block.identifier,
                level = block.level, text = {},
                heading = clean(pandoc.utils.stringify(block)) }
        elseif block.t ~= "RawBlock" then
            section.text[#section.text + 1] = words(block)
        end
    end
    for _, s in ipairs(sections) do
        io.write(table.concat({ name, s.anchor, s.level, s.heading,
            clean(table.concat(s.text, " ")) }, "\t"), "\n")
    end
    pandoc.walk_block(pandoc.Div(doc.blocks), { Div = function(e)
        if e.identifier ~= "" then
            io.write(name, "\t", e.identifier, "\t9\t\t\n")
        end
    end })
    return pandoc.Pandoc({})
end
