-- SPDX-License-Identifier: MIT
-- The filter from a page's Markdown to its part of the PDF and the EPUB.
-- Metadata: `source`, the page's path; `pages` and `outline`, the files that
-- book.lua reads.
--
-- The hard idea: all pages become one document, so an anchor is made its own by
-- its page's name (PAGE, or PAGE--ANCHOR), and a link that names none of them
-- ends the build here. Links to files of the workbook become their text: on
-- paper there is no file to open. Folded answers are shown.

local book = dofile("book/book.lua")
local numbers = dofile("book/numbers.lua")
local source, name, pages, anchors

local function fail(text) book.fail(source, text) end

local function page_of(path)
    for _, page in ipairs(pages) do
        if page.source == path or page.source == path .. "/README.md" then
            return page.name
        end
    end
end

local function anchor_of(page, anchor, link)
    if anchor == "" then return "#" .. page end
    if not anchors[page][anchor] then
        fail("dead link: " .. link .. ": no heading #" .. anchor ..
            " on that page")
    end
    return "#" .. page .. "--" .. anchor
end

local function Link(link)
    local target = link.target
    if target:match("^https?:") or target:match("^mailto:") then return end
    local path, anchor = target:match("^([^#]*)#?(.*)$")
    local file = path ~= "" and book.resolve(source, path)
    local page = path == "" and name or file and page_of(file)
    if page then
        link.target = anchor_of(page, anchor, target)
        return link
    end
    if not file or not book.exists(file) then
        fail("dead link: " .. target .. ": no such file")
    end
    return link.content
end

local function Image(image)
    local path = book.resolve(source, image.src)
    if not path or not book.exists(path) then
        fail("missing picture: " .. image.src)
    end
    image.src = path
    return image
end

-- The first page's banner is the cover's drawing.
local function Para(para)
    local image = #para.content == 1 and para.content[1]
    if image and image.t == "Image" and image.src:match("banner%.svg$") then
        return {}
    end
end

local function Header(header)
    header.identifier = header.level == 1 and name or
        name .. "--" .. header.identifier
    return header
end

local function RawInline(raw)
    if raw.format == "html" then return {} end
end

-- <details> are unfolded; comments were for the build.
local function Blocks(list)
    local out, summary = pandoc.List(), false
    for _, block in ipairs(list) do
        if block.t == "RawBlock" then
            summary = block.text:match("<summary>") ~= nil
            local text = block.text:match("<summary>(.-)</summary>")
            if text then
                out:insert(pandoc.Para({ pandoc.Strong({ pandoc.Str(text) }) }))
                summary = false
            end
        elseif summary then
            out:insert(pandoc.Para({ pandoc.Strong(block.content) }))
            summary = false
        else
            out:insert(block)
        end
    end
    return out
end

local HIGHLIGHT = { cuda = "cpp", cu = "cpp" }

local function CodeBlock(block)
    local class = block.classes[1]
    if class then block.classes[1] = HIGHLIGHT[class] or class end
    return block
end

local function Div(div)
    if div.classes:includes("contents") then return {} end
end

function Pandoc(doc)
    source = pandoc.utils.stringify(doc.meta.source)
    pages = book.pages(pandoc.utils.stringify(doc.meta.pages))
    _, anchors = book.outline(pandoc.utils.stringify(doc.meta.outline))
    name = page_of(source)
    local div = pandoc.walk_block(pandoc.Div(doc.blocks), { Link = Link,
        Image = Image, Header = Header, RawInline = RawInline,
        CodeBlock = CodeBlock, Div = Div, Para = Para,
        Table = numbers.table })
    div = pandoc.walk_block(div, { Blocks = Blocks })
    return pandoc.Pandoc(div.content, pandoc.Meta({}))
end
