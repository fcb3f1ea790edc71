-- SPDX-License-Identifier: MIT
-- The filter from a page's Markdown to its HTML. Metadata: `source`, the page's
-- path; `pages` and `outline`, the files that book.lua reads; `sections`, what
-- outline.lua printed; `here`, lines of lua/here.lua, of which a chapter's stands
-- below its first paragraph.
--
-- The hard idea: a page knows only its own text, but its links must hold. So
-- the sections of all pages are listed first (outline.lua), and a link that
-- names none of them ends the build here, with the page's path.
--
-- Files of the workbook that a page points at are listed on stdout, one per line,
-- for the build to copy: pictures as they are, text under files/.

PANDOC_VERSION:must_be_at_least("2.17")

local book = dofile("book/book.lua")
local contents = dofile("book/contents.lua")
local numbers = dofile("book/numbers.lua")
local simulator = dofile("book/simulator.lua")
local source, name, pages, titles, anchors
local sections -- path of what the first page's contents quote
local facts -- what calculators begin with
local notes, toc, calculators = 0, {}, false
local open = 0 -- calculators that have begun
local reference = "" -- a link to the reference of the headers, if built

local function fail(text) book.fail(source, text) end
local function html(text) return pandoc.RawBlock("html", text) end
local function inline(text) return pandoc.RawInline("html", text) end

-- The target of a link in this page's HTML, or an error.
local function page_of(path)
    for _, page in ipairs(pages) do
        if page.source == path then return page.name end
        if page.source == path .. "/README.md" then return page.name end
    end
end

local function check_anchor(page, anchor, link)
    if anchor ~= "" and not anchors[page][anchor] then
        fail("dead link: " .. link .. ": no heading #" .. anchor ..
            " on that page")
    end
end

local function copied(path, link)
    if not path or not book.exists(path) then
        fail("dead link: " .. link .. ": no such file")
    end
    io.write(path, "\n")
    return path
end

local function target_of(link)
    local path, anchor = link:match("^([^#]*)#?(.*)$")

    if link:match("^https?:") or link:match("^mailto:") then return link end
    if link:match("^%a+:") or link:match("^/") then
        fail("link that only works here: " .. link)
    end
    if path == "" then
        check_anchor(name, anchor, link)
        return link
    end
    path = book.resolve(source, path)
    local page = path and page_of(path)
    if not page then
        return "files/" .. copied(path, link) .. ".txt"
    end
    check_anchor(page, anchor, link)
    return page .. ".html" .. (anchor ~= "" and "#" .. anchor or "")
end

local function Link(link)
    link.target = target_of(link.target)
    return link
end

-- A picture moves while it is the target of its own address (anatomy.c).
local function moves(path)
    local file = assert(io.open(path))
    local text = file:read("a")
    file:close()
    return text:find("svg:target", 1, true) ~= nil
end

local function Image(image)
    if image.src:match("^%a+:") or image.src:match("^/") then
        fail("picture from elsewhere: " .. image.src)
    end
    if pandoc.utils.stringify(image.caption) == "" then
        fail("picture without words for who cannot see it: " .. image.src)
    end
    local path = copied(book.resolve(source, image.src), image.src)
    image.attributes.from = path
    image.src = "pictures/" .. path:match("[^/]*$")
    if moves(path) then image.classes:insert("moves") end
    return image
end

-- A picture that stands alone is a figure: on a narrow page in its narrow
-- drawing, if it has one; below it its words, which need not be read out twice.
local function Para(para)
    local image
    for _, inline in ipairs(para.content) do
        if inline.t == "Image" and not image then
            image = inline
        elseif inline.t ~= "SoftBreak" and inline.t ~= "Space" then
            return
        end
    end
    if not image then return end
    local path = image.attributes.from
    local narrow = path:gsub("%.svg$", "-narrow.svg")
    if image.src == "pictures/banner.svg" then
        image.attributes.from, image.title = nil, ""
        return { html('<div class="hero">'), pandoc.Plain({ image }),
            html("</div>") }
    end
    local out = pandoc.List({ html("<figure>") })
    local content = pandoc.List({ image })
    image.attributes.from = nil
    image.title = ""
    if book.exists(narrow) then
        copied(narrow, narrow)
        content = pandoc.List({ inline('<picture><source media="(max-width: ' ..
            '34rem)" srcset="pictures/' .. narrow:match("[^/]*$") .. '">'),
            image, inline("</picture>") })
    end
    out:extend({ pandoc.Plain(content), html('<figcaption aria-hidden="true">'),
        pandoc.Plain(image.caption), html("</figcaption></figure>") })
    return out
end

-- A note opens where it is called; without scripts it stands there in brackets.
local function Note(note)
    notes = notes + 1
    local list = pandoc.utils.blocks_to_inlines(note.content)
    list:insert(1, inline(string.format('<span class="note"><button ' ..
        'type="button" class="note-mark" aria-expanded="false" ' ..
        'aria-controls="note-%d" aria-label="Note %d">%d</button>' ..
        '<span class="note-text" id="note-%d" role="note">', notes, notes,
        notes, notes)))
    list:insert(inline("</span></span>"))
    return list
end

-- Results: the marker becomes a span that names its source.
local function Inlines(list)
    local out = pandoc.List()
    for _, element in ipairs(list) do
        local key = element.t == "RawInline" and
            element.text:match("^<!%-%- result: (%S+)")
        if key then
            out:insert(inline('<span class="result" data-result="' ..
                book.escape(key) .. '">'))
        elseif element.t == "RawInline" and
            element.text:match("^<!%-%- /result") then
            out:insert(inline("</span>"))
        elseif not (element.t == "RawInline" and
            element.text:match("^<!%-%-")) then
            out:insert(element)
        end
    end
    return out
end

local HIGHLIGHT = { cuda = "cpp", cu = "cpp" }

local function listing(block, path)
    local class = block.classes[1]
    if class then block.classes[1] = HIGHLIGHT[class] or class end
    local caption = ""
    if path then
        copied(path, path)
        caption = string.format('<p class="from"><a href="files/%s.txt">' ..
            '%s</a></p>', path, path)
    end
    return pandoc.List({ html('<div class="listing">' .. caption), block,
        html("</div>") })
end

-- Many columns stand closer; each is as wide as what is in it.
local MANY = 7
local function table_open(block)
    if #block.colspecs <= MANY then return '<div class="table">' end
    for _, spec in ipairs(block.colspecs) do spec[2] = nil end
    return '<div class="table many">'
end

-- The head of a column of names may be empty to the eye, but not to the ear.
local function named_corner(block)
    for _, row in ipairs(block.head.rows) do
        local cell = row.cells[1]
        if cell and pandoc.utils.stringify(cell.contents) == "" then
            cell.contents = { pandoc.Plain({ inline(
                '<span class="unseen">name</span>') }) }
        end
    end
    return block
end

-- A glossary's entry, with the anchor that outline.lua listed.
local function entry(block)
    local words = anchors[name][""] and book.entry(block)
    local id = words and book.slug(words)
    if id and anchors[name][id] == words then
        return pandoc.Div({ block }, { id = id, class = "entry" })
    end
end

-- <!-- calculator: KIND FACT… -->: it begins with these facts, each under the
-- last part of its name. What stands between this comment and the next,
-- <!-- /calculator -->, is what a reader without scripts sees.
local function calculator(comment)
    local kind, keys = comment:match("^<!%-%- calculator: (%S+)(.-)%-%->")
    local start = {}
    for key in keys:gmatch("%S+") do
        local value = facts[key] or fail("calculator: no fact " .. key)
        start[#start + 1] = string.format('"%s":%s', key:match("[^/]*$"),
            value)
    end
    calculators = true
    return html(string.format('<div class="calculator" data-kind="%s" ' ..
        "data-start='{%s}'>", kind, table.concat(start, ",")))
end

-- Listings with the file that they come from; no other comment stays.
local function Blocks(list)
    local out = pandoc.List()
    local path
    for _, block in ipairs(list) do
        if block.t == "RawBlock" and block.text:match("^<!%-%-") then
            path = block.text:match("^<!%-%- code: (%S+)") or path
            local shown = simulator.shown(block.text, source, fail)
            if shown then out:insert(html(shown)) end
            if block.text:match("^<!%-%- calculator:") then
                out:insert(calculator(block.text))
                open = open + 1
            elseif block.text:match("^<!%-%- /calculator") then
                out:insert(html("</div>"))
                open = open - 1
            end
        elseif block.t == "CodeBlock" then
            out:extend(listing(block, path))
            path = nil
        else
            if block.t == "Table" then
                out:insert(html(table_open(block)))
                block = named_corner(numbers.table(block))
            end
            out:insert(entry(block) or block)
            if block.t == "Table" then out:insert(html("</div>")) end
        end
    end
    return out
end

local function Header(header)
    if header.level == 2 then toc[#toc + 1] = header end
    local label = book.escape(pandoc.utils.stringify(header))
    header.content:insert(inline(string.format('<a class="anchor" href="#%s" ' ..
        'aria-label="Link to: %s">#</a>', header.identifier, label)))
    return header
end

-- What stands around the text ------------------------------------------------

local function Div(div)
    if div.classes:includes("contents") then
        return html('<div class="contents">' .. contents.cards(pages, titles,
            contents.leads(sections)) .. reference .. "</div>")
    end
end

local function contents_of_page()
    local items = {}
    for _, header in ipairs(toc) do
        items[#items + 1] = string.format('<li><a href="#%s">%s</a></li>',
            header.identifier,
            book.escape((pandoc.utils.stringify(header):gsub("#$", ""))))
    end
    return "<ul>\n" .. table.concat(items, "\n") .. "\n</ul>"
end

local function you_are_here(doc, path)
    local chapter = source:match("^chapters/(%d%d)-")
    if not chapter then return end
    for line in io.lines(path) do
        local figure = line:match("^" .. chapter .. "\t(.*)$")
        if figure then
            doc.blocks:insert(math.min(2, #doc.blocks + 1), html(figure))
            return
        end
    end
    fail("no line of this chapter in " .. path .. "; run make book")
end

local function turn(meta)
    for i, page in ipairs(pages) do
        if page.name == name then
            for key, other in pairs({ previous = pages[i - 1],
                next = pages[i + 1] }) do
                meta[key] = other.name .. ".html"
                meta[key .. "-title"] = titles[other.name]
            end
        end
    end
end

-- ----------------------------------------------------------------------------

local function take_title(doc)
    for i, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level == 1 then
            doc.meta.title = pandoc.MetaInlines(block.content)
            doc.meta.pagetitle = pandoc.utils.stringify(block)
            doc.blocks:remove(i)
            return
        end
    end
    fail("no heading of level 1, the page's title")
end

local function facts_of(path)
    local list = {}
    for line in io.lines(path) do
        local key, value = line:match("^([^\t]*)\t([^\t]*)")
        list[key] = value
    end
    return list
end

function Pandoc(doc)
    local meta = doc.meta
    source = pandoc.utils.stringify(meta.source)
    pages = book.pages(pandoc.utils.stringify(meta.pages))
    titles, anchors = book.outline(pandoc.utils.stringify(meta.outline))
    name = page_of(source)
    if meta.reference and pandoc.utils.stringify(meta.reference) ~= "" then
        reference = '<p class="part">For who builds on it</p><ul><li><a ' ..
            'href="../../docs/html/index.html">Reference of the headers' ..
            "</a></li></ul>"
    end
    facts = facts_of(pandoc.utils.stringify(meta.facts))
    simulator.engine = meta.engine and
        pandoc.utils.stringify(meta.engine) == "yes"
    sections = meta.sections and pandoc.utils.stringify(meta.sections)
    take_title(doc)

    local div = pandoc.walk_block(pandoc.Div(doc.blocks), { Link = Link,
        Image = Image, Inlines = Inlines })
    div = pandoc.walk_block(div, { Note = Note, Para = Para })
    div = pandoc.walk_block(div, { Header = Header, Blocks = Blocks, Div = Div,
        Image = function(image)
            image.attributes.from = nil
            return image
        end })
    doc.blocks = div.content
    you_are_here(doc, pandoc.utils.stringify(meta.here))
    meta.nav = pandoc.MetaBlocks({ html(contents.nav(pages, titles, name)) })
    meta.name = name
    if name == "index" then meta.index = true end
    if simulator.used then meta.simulator = true end
    if open ~= 0 then
        fail("a calculator does not end: <!-- /calculator --> is a paragraph")
    end
    if calculators then meta.calculators = true end
    if #toc > 1 then
        meta.toc = true
        meta["table-of-contents"] = pandoc.MetaBlocks({ html(contents_of_page()) })
    end
    turn(meta)
    return doc
end
