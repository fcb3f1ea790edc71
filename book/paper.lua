-- SPDX-License-Identifier: MIT
-- The filter from a page's Markdown to its part of the PDF and the EPUB.
-- Metadata: `source`, the page's path; `pages` and `outline`, the files that
-- book.lua reads.
--
-- The hard idea: all pages become one document, so an anchor is made its own by
-- its page's name (PAGE, or PAGE--ANCHOR), and a link that names none of them
-- ends the build here. Links to files of the workbook become their text: on
-- paper there is no file to open. Folded answers go to the end.

local book = dofile("book/book.lua")
local numbers = dofile("book/numbers.lua")
local source, name, pages, titles, anchors

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
    -- The book's title is on the cover.
    if name == "index" and header.level == 1 then
        header.content = { pandoc.Str("About this book") }
    end
    return header
end

local function RawInline(raw)
    if raw.format == "html" then return {} end
end

-- Answers ----------------------------------------------------------------------

-- What is folded on a screen stands at the end on paper, so that nobody reads
-- an answer beside its question. The page keeps a link to it; answers.lua makes
-- the last chapter of what is collected here.
local answers = {}

local function link_to(number)
    local id = name .. "--answer-" .. number
    return pandoc.Para({ pandoc.Link({ pandoc.Str("Answer " .. number) },
        "#" .. id), pandoc.RawInline("latex", ", page~\\pageref{" .. id .. "}") })
end

local function keep(summary, blocks)
    local number = #answers + 1
    local id = name .. "--answer-" .. number
    local words = pandoc.utils.stringify(summary)
    local head = pandoc.List({ pandoc.RawInline("latex", "\\label{" .. id .. "}"),
        pandoc.Strong({ pandoc.Str(number .. ".") }), pandoc.Space() })
    if words ~= "Answer" then
        head:extend({ pandoc.Emph(summary), pandoc.Space() })
    end
    -- A first paragraph goes on behind its number.
    if blocks[1] and (blocks[1].t == "Para" or blocks[1].t == "Plain") then
        head:extend(blocks[1].content)
        blocks:remove(1)
    end
    blocks:insert(1, pandoc.Para(head))
    answers[number] = pandoc.Div(blocks, { id = id })
    return link_to(number)
end

-- The top blocks of a page without its comments, each fold replaced by a link.
local function without_folds(list)
    local out, summary, inside = pandoc.List(), nil, nil
    for _, block in ipairs(list) do
        local raw = block.t == "RawBlock" and block.text or ""
        if raw:match("^<details") then
            inside, summary = pandoc.List(), nil
        elseif raw:match("^</details") then
            if not inside then fail("a fold ends that did not begin") end
            out:insert(keep(summary or {}, inside))
            inside = nil
        elseif inside and not summary and block.t == "Plain" then
            summary = block.content
        elseif block.t ~= "RawBlock" then
            (inside or out):insert(block)
        end
    end
    if inside then fail("a fold does not end") end
    return out
end

local function RawBlock(raw)
    if raw.text:match("^<details") then fail("a fold within a list") end
    return {}
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
    titles, anchors = book.outline(pandoc.utils.stringify(doc.meta.outline))
    name = page_of(source)
    local div = pandoc.walk_block(pandoc.Div(doc.blocks), { Link = Link,
        Image = Image, Header = Header, RawInline = RawInline,
        CodeBlock = CodeBlock, Div = Div, Para = Para,
        Table = numbers.table })
    local blocks = without_folds(div.content)
    div = pandoc.walk_block(pandoc.Div(blocks), { RawBlock = RawBlock })
    blocks = div.content
    if #answers > 0 then
        local title = pandoc.Header(2, { pandoc.Str(titles[name]) })
        table.insert(answers, 1, title)
        blocks:insert(pandoc.Div(answers, { class = "answers" }))
    end
    return pandoc.Pandoc(blocks, pandoc.Meta({}))
end
