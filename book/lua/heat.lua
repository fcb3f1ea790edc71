-- SPDX-License-Identifier: MIT
-- heat.lua: a chapter's kernels beside their peers, at every shape, as maps of
-- shaded cells, for plots.lua:
--
--   NN-heat         speed in percent: of a copy of the same bytes where memory
--                   binds the chapter's kernels, else of the fastest library
--   NN-latency      microseconds; shaded by percent of the row's fastest
--   NN-throughput   GB/s, or TFLOP/s of a product; shaded by percent of the
--                   kernel's highest, at any shape
--   NN-memory       MiB beyond inputs and results; the less, the darker
--
--   names()                the maps that pages ask for
--   is_kind(kind)          whether there are maps of that kind
--   fill(plot, facts)      the map plot.kind of plot.number: rows, ways, words
--
-- A row is a kernel at a shape, a column a way of computing it. What was not
-- measured stays empty.
--
-- The hard idea: rows are many and ways are few, so a map is as high as it has
-- rows, and one drawing fits a page and a telephone.

local workbook = require "workbook"
local provenance = require "provenance"
local versus = require "versus"

local M = {}
local GPU = provenance.book_gpu
-- The first ways; then the others by name.
local FIRST = {"ours", "ours_apart", "triton", "compiled", "eager"}
local CLASSES = {95, 80, 60, 40} -- percent from which a shade stands

-- Per kind, below: what a cell holds, and what stands around the map.
local kinds = {}

function M.is_kind(kind) return kinds[kind] ~= nil end

function M.names()
    local pipe = io.popen("cat book/appendix/*.md chapters/*/README.md")
    local list, seen = {}, {}
    for line in pipe:lines() do
        local name, kind = line:match("^<!%-%- figure: (%d%d%-(%l+)) %-%->")
        if name and kinds[kind] and not seen[name] then
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
            for _, key in ipairs(facts:below(at)) do
                local peer = key:sub(#at + 1):match("^([^/]+)/ms$")
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

local function class_of(percent)
    for i, from in ipairs(CLASSES) do
        if percent >= from then return i end
    end
    return #CLASSES + 1
end

-- The kinds: `number` is a row's value for a way, or nil; `text` how it is
-- written, `shade` its percent for the shade. at: where the kernel's peers stand
-- among the facts; best: the row's least time; most: its kernel's highest value
-- in the map.

local function ms_of(row, way, facts)
    return facts:number(row.at .. way .. "/ms")
end

-- The time that stands for 100 percent: of a copy, or of the fastest library.
local function full_of(map, row, facts)
    if map.memory then return facts:number(row.at .. "copy/ms") end
    local best
    for _, way in ipairs(map.ways) do
        local ms = not way:match("^ours") and ms_of(row, way, facts)
        if ms and (not best or ms < best) then best = ms end
    end
    return best
end

local function three_digits(value)
    return string.format(value < 99.95 and "%#.3g" or "%.0f", value)
end

kinds.heat = {
    number = function(map, row, way, facts)
        local ms, full = ms_of(row, way, facts), full_of(map, row, facts)
        return ms and full and math.floor(100 * full / ms + 0.5)
    end,
    text = function(value) return string.format("%d", value) end,
    shade = function(value) return value end,
    title = "beside its peers",
    unit = function(map)
        return map.memory and "percent of a copy's speed," or
            "percent of the fastest library's speed,"
    end,
    words = function(map)
        return "Speed in percent of " ..
            (map.memory and "a copy of the same bytes" or "the fastest library")
    end}

kinds.latency = {
    number = function(_, row, way, facts)
        local ms = ms_of(row, way, facts)
        return ms and 1000 * ms
    end,
    text = three_digits,
    shade = function(value, row) return 100 * row.least / value end,
    title = "beside its peers: latency",
    unit = function() return "microseconds," end,
    words = function()
        return "Microseconds per launch; shade: percent of the row's best"
    end}

local function points(shape)
    local product = 1
    for extent in shape:gmatch("%u(%d+)") do product = product * extent end
    return product
end

-- Work of a kernel at a shape, from what its report says at its time_shape: both
-- grow with the product of a shape's extents. A product of matrices is counted
-- in operations, anything else in bytes.
local function work_of(map, row, facts)
    local key = row.shape:match("^M%d+ N%d+ K%d+$") and "flops" or "bytes"
    local at = GPU .. "/" .. map.chapter.number .. "/" .. row.kernel.name .. "/"
    local work = row.kernel.time_shape and facts:number(at .. key)
    return work and work * points(row.shape) / points(row.kernel.time_shape),
        key
end

kinds.throughput = {
    number = function(map, row, way, facts)
        local ms = ms_of(row, way, facts)
        local work, key = work_of(map, row, facts)
        if not ms or not work then return nil end
        map.rate = key == "flops" and "TFLOP/s" or "GB/s"
        return work / ms * (key == "flops" and 1e-9 or 1e-6)
    end,
    text = three_digits,
    shade = function(value, row, most) return 100 * value / most[row.kernel] end,
    title = "beside its peers: throughput",
    unit = function(map) return map.rate .. "," end,
    words = function(map)
        return map.rate .. "; shade: percent of the kernel's highest"
    end}

kinds.memory = {
    number = function(_, row, way, facts)
        local bytes = facts:number(row.at .. way .. "/scratch_bytes")
        return bytes and bytes / (1 << 20)
    end,
    text = function(value) return value == 0 and "0" or three_digits(value) end,
    shade = function(value, _, most, row_most)
        return row_most == 0 and 100 or 100 - 100 * value / row_most
    end,
    title = "beside its peers: memory",
    unit = function() return "MiB beyond inputs and results," end,
    words = function() return "MiB beyond inputs and results" end}

-- The map --------------------------------------------------------------------

-- A row's values by way, with the least and the most; nil if there is none.
local function measure(map, row, facts)
    row.value = {}
    for _, way in ipairs(map.ways) do
        local value = map.kind.number(map, row, way, facts)
        row.value[way] = value
        if value then
            row.least = math.min(row.least or value, value)
            row.most = math.max(row.most or value, value)
        end
    end
    return row.least and row
end

-- The rows that were measured, a shape's after each other.
local function rows_of(map, facts)
    local list = {}
    for _, shape in ipairs(map.shapes) do
        for _, kernel in ipairs(shape.kernels) do
            list[#list + 1] = measure(map, {
                shape = shape.shape, kernel = kernel,
                at = versus.at(shape, kernel)}, facts)
        end
    end
    return list
end

-- The ways that have a value in some row.
local function drop_empty(ways, rows)
    local list = {}
    for _, way in ipairs(ways) do
        for _, row in ipairs(rows) do
            if row.value[way] then
                list[#list + 1] = way
                break
            end
        end
    end
    return list
end

-- A row's cells at height y.
local function add_cells(plot, map, row, y, most, facts)
    local what = plot.kind == "memory" and "/scratch_bytes" or "/ms"
    for i, way in ipairs(map.ways) do
        local value = row.value[way]
        if value then
            local text = map.kind.text(value)
            for source in facts.sources[row.at .. way .. what]:gmatch("[^,]+") do
                plot.sources[source] = true
            end
            table.insert(plot.rows[i], {
                text = string.format("%g\t%s\t%d", y, text, class_of(
                    map.kind.shade(value, row, most, row.most))),
                shown = text})
        end
    end
end

-- Columns are told by the peers' names, which are short.
local function heads_of(ways)
    local heads = {}
    for i, way in ipairs(ways) do heads[i] = {label = way:gsub("_", " ")} end
    return heads
end

local function least_and_most(shown)
    local first, last = shown[1], shown[1]
    for _, text in ipairs(shown) do
        if tonumber(text) < tonumber(first) then first = text end
        if tonumber(text) > tonumber(last) then last = text end
    end
    return first, last
end

-- Each kernel's highest value in the map.
local function highest(rows)
    local most = {}
    for _, row in ipairs(rows) do
        most[row.kernel] = math.max(most[row.kernel] or 0, row.most)
    end
    return most
end

function M.fill(plot, facts)
    local chapter = chapter_of(plot.number)
    local shapes = shapes_of(chapter)
    local first = shapes[1] and shapes[1].kernels[1]
    local map = {kind = kinds[plot.kind], chapter = chapter, shapes = shapes,
                 ways = ways_of(shapes, facts)}
    map.memory = first and facts.value[GPU .. "/" .. chapter.number .. "/" ..
                                       first.name .. "/bound"] == "memory"
    local rows = rows_of(map, facts)
    if #rows == 0 then
        error("no peer of chapter " .. plot.number .. " was measured", 0)
    end
    map.ways = drop_empty(map.ways, rows)
    local words, last = {}, nil -- before each line: a shape, or a space and a
    local most = highest(rows)  -- kernel
    plot.ladder = {paths = heads_of(map.ways)}
    for i in ipairs(map.ways) do plot.rows[i] = {} end
    for _, row in ipairs(rows) do
        if row.shape ~= last then words[#words + 1] = row.shape end
        last = row.shape
        add_cells(plot, map, row, #words, most, facts)
        words[#words + 1] = " " .. row.kernel.label
    end
    plot.first, plot.last = chapter.number, chapter.number
    plot.unit = map.kind.unit(map)
    plot.range = least_and_most
    plot.title = "Chapter " .. chapter.number .. " " .. map.kind.title
    plot.text = map.kind.words(map) .. ", on " ..
        provenance.short(facts, plot.sources)
    plot.more = ""
    plot.settings = {"count = " .. #words,
                     "words = '" .. table.concat(words, "|") .. "'"}
end

return M
