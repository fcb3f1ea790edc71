-- SPDX-License-Identifier: MIT
-- plots.lua: the book's plots of results, two of each ladder (workbook.lua):
-- LADDER-ladder, the time of each stage, and LADDER-roofline, the stages under
-- the ceilings: bandwidth, and the rate of each pipe that their operators use;
-- and NN-heat, NN-latency and the like, a chapter beside its peers (heat.lua).
--
--   names(facts)            of the ladders that were measured
--   words(NAME, facts)      the figure's Markdown, a list of lines; @/ is the
--                           workbook's root
--   main("list", FACTS)     the names, each also as NAME-narrow: the same
--                           panels below each other, for a telephone
--   main("draw", NAME, FACTS)      the SVG, by gnuplot
--   main("words", NAME, FACTS)
--   main("check", FACTS, FOLDER)   fails, and says which of FOLDER/*.svg are
--                                  out of date
--
-- The hard idea: gnuplot's versions draw a line differently, so a committed
-- picture is not held to its bytes. It carries a stamp, the digest of the data
-- and of all that draws it, and is out of date when the stamp would differ.

local facts_module = require "facts"
local workbook = require "workbook"
local provenance = require "provenance"
local heat = require "heat"

local M = {}
local GPU = provenance.book_gpu
local FOLDER = "book/plots/"

-- A number that is shown; its sources become the plot's.
local function use(plot, facts, key)
    for source in (facts.sources[key] or ""):gmatch("[^,]+") do
        plot.sources[source] = true
    end
    return facts:number(key)
end

local function need(plot, facts, key)
    return use(plot, facts, GPU .. "/" .. key) or
        error("no result " .. GPU .. "/" .. key, 0)
end

local function key_of(chapter, path, what)
    return GPU .. "/" .. chapter.number .. "/" .. path.name .. "/" .. what
end

-- The ladder's chapters that measured one of its paths.
local function measured(ladder, facts)
    local list = {}
    for _, chapter in ipairs(ladder.chapters) do
        for _, path in ipairs(ladder.paths) do
            if facts:number(key_of(chapter, path, "time_ms")) then
                list[#list + 1] = chapter
                break
            end
        end
    end
    return list
end

-- Data: of each path a list of rows, whose `text` is gnuplot's line and
-- `shown` the number as words say it --------------------------------------------

-- A label is above its point to the right; below it to the left where that of
-- the chapter before is in the way.
local function ladder_rows(plot, path, facts)
    local rows, last, above = {}, -1, 0
    for i, chapter in ipairs(plot.chapters) do
        local ms = use(plot, facts, key_of(chapter, path, "time_ms"))
        if ms then
            local x, y = i, ms * 1.12
            if i == last + 1 and y < above * 1.6 and y > above / 1.6 then
                x, y = i - 1.05, ms * 0.62
            else
                last, above = i, y
            end
            rows[#rows + 1] = {
                text = string.format("%d\t%.6g\t%#.3g\t%.6g\t%.6g", i, ms, ms,
                                     y, x),
                shown = string.format("%#.3g", ms)}
        end
    end
    return rows
end

-- The last chapters crowd below the roof: a label makes room for the one above.
local function roofline_rows(plot, path, facts, range)
    local rows, above = {}, nil
    for i = #plot.chapters, 1, -1 do
        local chapter = plot.chapters[i]
        local ms = use(plot, facts, key_of(chapter, path, "time_ms"))
        if ms then
            local x = facts:number(key_of(chapter, path, "intensity"))
            local y = facts:number(key_of(chapter, path, "flops")) / ms / 1e9
            above = above and y > above / 1.75 and above / 1.75 or y
            range.left = math.min(range.left, x / 2)
            range.right = math.max(range.right, x * 4)
            range.low = math.min(range.low, y / 2)
            table.insert(rows, 1, {
                text = string.format("%.6g\t%.6g\t%s\t1\t%.6g", x, y,
                                     chapter.number, above),
                shown = string.format("%#.3g", y)})
        end
    end
    return rows
end

-- The pipes that a path's stages were held to, each with its peak; the highest
-- first. A result that names none is of before there was one but fp32.
local function roofs_of(plot, path, facts)
    local known, list = {}, {}
    for _, chapter in ipairs(plot.chapters) do
        local pipe = facts.value[key_of(chapter, path, "pipe")] or "fp32"
        local timed = facts:number(key_of(chapter, path, "time_ms"))
        if timed and not known[pipe] then
            known[pipe] = true
            list[#list + 1] = {
                name = pipe:gsub("_", " "),
                peak = need(plot, facts, pipe .. "_TFLOP_per_second")}
        end
    end
    table.sort(list, function(a, b) return a.peak > b.peak end)
    return list
end

local function point(x, y, label)
    return {text = string.format("%.6g\t%.6g", x, y) ..
                (label and "\t" .. label or "")}
end

-- The highest roof begins with the slope of the bandwidth, the others leave it;
-- an empty line lifts gnuplot's pen.
local function roof_rows(roofs, bandwidth, range)
    local rows = {}
    for i, roof in ipairs(roofs) do
        rows[#rows + 1] = i == 1 and point(range.left, bandwidth * range.left)
            or {text = ""}
        rows[#rows + 1] = point(roof.peak / bandwidth, roof.peak)
        rows[#rows + 1] = point(range.right, roof.peak)
    end
    return rows
end

local function label_rows(roofs, range)
    local rows = {}
    for i, roof in ipairs(roofs) do
        rows[i] = point(range.right / 1.05, roof.peak,
                        string.format("%s %.0f TFLOP/s", roof.name, roof.peak))
    end
    return rows
end

-- A plot: kind, title, text, words (a function), data and settings, gnuplot's --

local function shape_of(ladder)
    local shape = ladder.paths[1].time_shape
    return shape and " at " .. shape or ""
end

-- "from chapter 04 to 09", or "of chapter 98"
local function span(plot)
    if plot.first == plot.last then return "of chapter " .. plot.first end
    return "from chapter " .. plot.first .. " to " .. plot.last
end

local function ladder_plot(plot, facts)
    local floors = {}
    for i, path in ipairs(plot.ladder.paths) do
        floors[i] = string.format("%.6g", need(plot, facts, plot.first ..
                                               "/" .. path.name .. "/copy_ms"))
        plot.rows[i] = ladder_rows(plot, path, facts)
    end
    local ticks = {}
    for i, chapter in ipairs(plot.chapters) do
        ticks[i] = string.format("'%s' %d", chapter.number, i)
    end
    plot.unit = "ms"
    plot.title = "The " .. plot.ladder.name .. " ladder, stage by stage"
    plot.text = "Time of one launch" .. shape_of(plot.ladder) .. " on " ..
        provenance.short(facts, plot.sources)
    plot.more = string.format("; a copy of the same bytes %.3f", floors[1])
    plot.settings = {
        "stages = " .. #plot.chapters, "unit = 'ms'",
        "floors = '" .. table.concat(floors, " ") .. "'",
        'ticks = "' .. table.concat(ticks, ", ") .. '"'}
end

local function roofline_plot(plot, facts)
    local bandwidth = need(plot, facts, "copy_TB_per_second")
    local range = {left = 0.5, right = 60, low = 0.02, high = 150}
    local paths, roofs = plot.ladder.paths, {}
    for i, path in ipairs(paths) do
        plot.rows[i] = roofline_rows(plot, path, facts, range)
        roofs[i] = roofs_of(plot, path, facts)
        range.high = math.max(range.high, 2.4 * roofs[i][1].peak)
        range.right = math.max(range.right, 4 * roofs[i][1].peak / bandwidth)
    end
    for i in ipairs(paths) do
        plot.rows[#paths + i] = roof_rows(roofs[i], bandwidth, range)
        plot.rows[2 * #paths + i] = label_rows(roofs[i], range)
    end
    plot.unit = "TFLOP/s"
    plot.title = "The " .. plot.ladder.name .. " ladder under the two ceilings"
    plot.text = "Stages " .. span(plot) .. shape_of(plot.ladder) .. " on " ..
        provenance.short(facts, plot.sources)
    plot.more = ""
    plot.settings = {
        string.format("bandwidth = %.6g", bandwidth),
        string.format("low = %.6g; high = %.6g; left = %.6g; right = %.6g",
                      range.low, range.high, range.left, range.right)}
end

local makers = {ladder = ladder_plot, roofline = roofline_plot}

local function data(plot)
    local blocks = {}
    for i, rows in ipairs(plot.rows) do
        local lines = {}
        for j, row in ipairs(rows) do lines[j] = row.text .. "\n" end
        blocks[i] = table.concat(lines)
    end
    return table.concat(blocks, "\n\n")
end

local function settings(plot)
    local names = {}
    for i, path in ipairs(plot.ladder.paths) do names[i] = path.label end
    return table.concat(plot.settings, "\n") .. "\n" ..
        string.format("panels = %d; names = '%s'\n", #names,
                      table.concat(names, "|"))
end

local function prepare(name, facts)
    name = tostring(name):gsub("%-narrow$", "")
    local ladder, kind = tostring(name):match("^(.+)%-(%l+)$")
    local plot = {kind = kind, ladder = workbook.ladders[ladder], rows = {},
                  sources = {}, number = ladder}
    if heat.is_kind(kind) then
        heat.fill(plot, facts)
        plot.drawing = "heat"
        return plot
    end
    if not plot.ladder or not makers[kind] then
        error("no plot " .. tostring(name), 0)
    end
    plot.chapters = measured(plot.ladder, facts)
    if #plot.chapters == 0 then
        error("no chapter of " .. ladder .. " was measured", 0)
    end
    plot.first = plot.chapters[1].number
    plot.last = plot.chapters[#plot.chapters].number
    makers[kind](plot, facts)
    plot.drawing = kind
    return plot
end

-- What is drawn, for who cannot see it; `full` with every number.
local function describe(plot, full)
    local parts = {}
    for i, path in ipairs(plot.ladder.paths) do
        local shown = {}
        for j, row in ipairs(plot.rows[i]) do shown[j] = row.shown end
        local first, last = shown[1], shown[#shown]
        if plot.range then first, last = plot.range(shown) end
        parts[i] = path.label .. " " ..
            (full and table.concat(shown, ", ") or
             first .. (#shown > 1 and " to " .. last or ""))
    end
    return plot.unit .. " " .. span(plot) .. ": " .. table.concat(parts, "; ") .. plot.more .. "."
end

-- Pictures -------------------------------------------------------------------

local function read(path)
    local file = io.open(path)
    if not file then return nil end
    local text = file:read("a")
    file:close()
    return text
end

local function stamp(plot)
    return pandoc.utils.sha1(plot.title .. plot.text .. data(plot) ..
                             settings(plot) ..
                             read(FOLDER .. "style.gp") ..
                             read(FOLDER .. plot.drawing .. ".gp") ..
                             read(FOLDER .. "finish.awk")):sub(1, 16)
end

local function write(path, text)
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function draw(name, facts)
    local plot = prepare(name, facts)
    local drawn = pandoc.system.with_temporary_directory("plot",
                                                         function(folder)
        write(folder .. "/data", data(plot))
        write(folder .. "/set.gp", settings(plot) ..
              (name:match("%-narrow$") and "narrow = 1\n" or ""))
        local gnuplot = string.format(
            "gnuplot -e \"data = '%s/data'; style = '%sstyle.gp'\" " ..
            "'%s/set.gp' %s%s.gp >'%s/raw.svg'", folder, FOLDER, folder,
            FOLDER, plot.drawing, folder)
        local finish = string.format(
            "awk -v bare=1 -v title=%s -v text=%s -v words=%s -v stamp=%s -f %s " ..
            "'%s/raw.svg'", quoted(plot.title), quoted(plot.text),
            quoted(describe(plot, true)), stamp(plot), FOLDER .. "finish.awk",
            folder)
        return os.execute(gnuplot) and os.execute(finish)
    end)
    if not drawn then error("gnuplot could not draw " .. name, 0) end
end

local function out_of_date(name, facts, folder)
    local path = folder .. "/" .. name .. ".svg"
    local ok, plot = pcall(prepare, name, facts)
    if not ok then return plot end
    local svg = read(path) or ""
    if svg:find("<!-- stamp " .. stamp(plot) .. " -->", 1, true) then
        return nil
    end
    return path .. " is not what the results say: make pictures"
end

function M.names(facts)
    local list = {}
    for _, ladder in ipairs(workbook.ladders) do
        if #measured(ladder, facts) > 0 then
            list[#list + 1] = ladder.name .. "-ladder"
            list[#list + 1] = ladder.name .. "-roofline"
        end
    end
    if #list == 0 then error("no chapter of a ladder was measured", 0) end
    local maps = heat.names()
    return table.move(maps, 1, #maps, #list + 1, list)
end

function M.words(name, facts)
    local plot = prepare(name, facts)
    local lines, line = {}, ""
    local text = "![" .. plot.title .. ", " .. describe(plot, false) ..
        "](@/" .. FOLDER .. name .. ".svg)"
    for word in text:gmatch("%S+") do
        if #line + 1 + #word > 78 and line ~= "" then
            lines[#lines + 1], line = line, word
        else
            line = line == "" and word or line .. " " .. word
        end
    end
    lines[#lines + 1] = line
    return lines
end

function M.main(what, a, b)
    if what == "list" then
        for _, name in ipairs(M.names(facts_module.load(a))) do
            print(name .. "\n" .. name .. "-narrow")
        end
    elseif what == "draw" then
        io.stdout:setvbuf("no")
        draw(a, facts_module.load(b))
    elseif what == "words" then
        for _, line in ipairs(M.words(a, facts_module.load(b))) do
            print(line)
        end
    elseif what == "check" then
        local wrong = {}
        local facts = facts_module.load(a)
        for _, name in ipairs(M.names(facts)) do
            wrong[#wrong + 1] = out_of_date(name, facts, b)
            wrong[#wrong + 1] = out_of_date(name .. "-narrow", facts, b)
        end
        if #wrong > 0 then error(table.concat(wrong, "\n"), 0) end
    else
        error("list, draw, words or check, not " .. tostring(what), 0)
    end
end

return M
