-- SPDX-License-Identifier: MIT
-- heat.lua: a chapter's kernels beside their peers, at every shape, as a map of
-- shaded cells: NN-heat, for plots.lua.
--
--   names(facts)           the maps that pages ask for
--   fill(plot, facts)      the map of plot.number: rows, ways and words
--
-- A row is a kernel at a shape, a column a way of computing it. A cell holds a
-- speed in percent: of a copy of the same bytes where memory binds the chapter's
-- kernels, else of the fastest library. What was not measured stays empty.
--
-- The hard idea: rows are many and ways are few, so a map is as high as it has
-- rows, and one drawing fits a page and a telephone.

local workbook = require "workbook"
local provenance = require "provenance"
local versus = require "versus"

local M = {}
local GPU = provenance.book_gpu
local FIRST = {"ours", "triton", "compiled", "eager"} -- then the others by name
local CLASSES = {95, 80, 60, 40} -- percent from which a shade stands

function M.names()
    local pipe = io.popen("cat book/appendix/*.md chapters/*/README.md")
    local list, seen = {}, {}
    for line in pipe:lines() do
        local name = line:match("^<!%-%- figure: (%d%d%-heat) %-%->")
        if name and not seen[name] then
            seen[name] = true
            list[#list + 1] = name
        end
    end
    pipe:close()
    return list
end

local function chapter_of(number)
    for _, chapter in ipairs(workbook.chapters) do
        if chapter.number == number then return chapter end
    end
    error("no chapter " .. tostring(number), 0)
end

-- The shapes of a chapter in order, each with the kernels that have it.
local function shapes_of(chapter)
    local list, known = {}, {}
    for _, kernel in ipairs(versus.with_peers(chapter)) do
        for _, shape in ipairs(kernel.peer_shapes) do
            if not known[shape.name] then
                known[shape.name] = {name = shape.name, shape = shape.shape,
                                     kernels = {}}
                list[#list + 1] = known[shape.name]
            end
            table.insert(known[shape.name].kernels, kernel)
        end
    end
    return list
end

local function ways_of(shapes, facts)
    local found, list = {}, {}
    for _, shape in ipairs(shapes) do
        for _, kernel in ipairs(shape.kernels) do
            local at = versus.at(shape, kernel)
            for _, key in ipairs(facts:keys()) do
                local peer = key:sub(1, #at) == at and
                    key:sub(#at + 1):match("^([^/]+)/ms$")
                if peer and peer ~= "copy" and not peer:match("^chapter%-") then
                    found[peer] = true
                end
            end
        end
    end
    for _, peer in ipairs(FIRST) do
        if found[peer] then list[#list + 1] = peer end
        found[peer] = nil
    end
    local others = {}
    for peer in pairs(found) do others[#others + 1] = peer end
    table.sort(others)
    return table.move(others, 1, #others, #list + 1, list)
end

-- The time that stands for 100 percent: of a copy, or of the fastest library.
local function full_of(plot, at, ways, facts)
    if plot.memory then return facts:number(at .. "copy/ms") end
    local best
    for _, way in ipairs(ways) do
        local ms = way ~= "ours" and facts:number(at .. way .. "/ms")
        if ms and (not best or ms < best) then best = ms end
    end
    return best
end

local function class_of(percent)
    for i, from in ipairs(CLASSES) do
        if percent >= from then return i end
    end
    return #CLASSES + 1
end

-- A row of the map at height y: a cell for each way that was measured there.
local function add_cells(plot, at, y, ways, facts)
    local full, any = full_of(plot, at, ways, facts), false
    for i, way in ipairs(ways) do
        local ms = facts:number(at .. way .. "/ms")
        if ms and full then
            local percent = math.floor(100 * full / ms + 0.5)
            for source in facts.sources[at .. way .. "/ms"]:gmatch("[^,]+") do
                plot.sources[source] = true
            end
            table.insert(plot.rows[i], {
                text = string.format("%g\t%d\t%d", y, percent,
                                     class_of(percent)),
                shown = string.format("%d", percent)})
            any = true
        end
    end
    return any
end

-- Columns are told by the peers' names, which are short.
local function heads_of(ways)
    local heads = {}
    for i, way in ipairs(ways) do heads[i] = {label = way:gsub("_", " ")} end
    return heads
end

local function least_and_most(shown)
    local numbers = {}
    for i, text in ipairs(shown) do numbers[i] = tonumber(text) end
    table.sort(numbers)
    return numbers[1], numbers[#numbers]
end

function M.fill(plot, facts)
    local chapter = chapter_of(plot.number)
    local shapes = shapes_of(chapter)
    local ways = ways_of(shapes, facts)
    local words = {} -- before each line: a shape, or a space and a kernel
    local first = shapes[1] and shapes[1].kernels[1]
    local bound = first and facts.value[GPU .. "/" .. chapter.number .. "/" ..
                                        first.name .. "/bound"]
    plot.memory = bound == "memory"
    plot.ladder = {paths = heads_of(ways)}
    for i in ipairs(ways) do plot.rows[i] = {} end
    for _, shape in ipairs(shapes) do
        local head = #words + 1 -- which a shape has if one of its rows is there
        for _, kernel in ipairs(shape.kernels) do
            local row = math.max(#words, head)
            if add_cells(plot, versus.at(shape, kernel), row, ways, facts) then
                words[head] = words[head] or shape.shape
                words[row + 1] = " " .. kernel.label
            end
        end
    end
    if #words == 0 then
        error("no peer of chapter " .. plot.number .. " was measured", 0)
    end
    plot.first, plot.last = chapter.number, chapter.number
    plot.unit = plot.memory and "percent of a copy's speed," or
        "percent of the fastest library's speed,"
    plot.range = least_and_most
    plot.title = "Chapter " .. chapter.number .. " beside its peers"
    plot.text = "Speed in percent of " ..
        (plot.memory and "a copy of the same bytes" or "the fastest library") ..
        ", on " .. provenance.short(facts, plot.sources)
    plot.more = ""
    plot.settings = {"count = " .. #words,
                     "words = '" .. table.concat(words, "|") .. "'"}
end

return M
