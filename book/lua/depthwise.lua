-- SPDX-License-Identifier: MIT
-- depthwise.lua: sweeps of the depthwise convolution, and what the kernels
-- for the middle of their map bring, as facts and as tables (from
-- tests/hardware/trials/studies/depthwise-*.tsv):
--
--   put(facts)        GPU/depthwise-PATH/pairs, fastest, clearly, most, near,
--                     near-before; and for some shapes L.../K.../floor, before,
--                     middle
--   middle(t)         per path: at how many pairs of length and taps it wins
--   middle_shapes(t)  times at some of them, of the forward path
--   middle_weights(t) the same of the weight gradient
--
-- The floor of a shape is the time of a copy of the same bytes, or of its
-- multiply-adds at the roof, whichever is more. "Before" is the fastest kernel
-- of a chapter. Times are medians of their repeats.

local provenance = require "provenance"

local M = {}
local FOLDER = "tests/hardware/trials/studies/depthwise-"
local PATHS = {{"forward", "forward"}, {"input_grad", "input gradient"},
               {"weight_grad", "weight gradient"}}
local SHOWN = { -- length and taps
    forward = {{91, 56}, {181, 56}, {256, 32}, {512, 56}, {1024, 32},
               {2048, 97}, {5793, 32}, {256, 256}, {128, 6}},
    input_grad = {},
    weight_grad = {{181, 18}, {181, 56}, {512, 56}, {2896, 32}, {8192, 18},
                   {2048, 97}, {5793, 294}, {362, 362}, {724, 6}, {23, 11}}}
local CLEARLY, NEAR = 1.05, 1.5
local MIDDLE, COPY = "middle", "peer_copy"

local function median(list)
    table.sort(list)
    local half = #list // 2
    return #list % 2 == 1 and list[half + 1]
        or (list[half] + list[half + 1]) / 2
end

-- The head's fields, and per shape its extents and the times of each kernel.
local function read(path)
    local about, shapes, by = {}, {}, {}
    for line in io.lines(path) do
        local name, value = line:match("^# (%S+)\t(.*)$")
        local dims, kernel, ms = line:match(
            "^%l[%l_]*\t(%d+\t%d+\t%d+\t%d+)\t(%S+)\t%d+\tok\t(%S+)$")
        if name then
            about[name] = value
        elseif dims then
            if not by[dims] then
                by[dims] = {ms = {}}
                for extent in dims:gmatch("%d+") do
                    table.insert(by[dims], tonumber(extent))
                end
                shapes[#shapes + 1] = by[dims]
            end
            local times = by[dims].ms
            times[kernel] = times[kernel] or {}
            table.insert(times[kernel], tonumber(ms))
        end
    end
    return about, shapes
end

-- In ms; nil where the copy was not timed.
local function floor_of(shape, flops_per_second)
    local B, H, L, K = table.unpack(shape)
    local taps = math.min(K, L)
    local terms = taps * L - taps * (taps - 1) // 2
    local copy = shape.ms[COPY]
    return copy and math.max(median(copy),
                             2e3 * B * H * terms / flops_per_second)
end

local function fastest_before(shape)
    local best
    for kernel, times in pairs(shape.ms) do
        if kernel ~= MIDDLE and not kernel:match("^peer_") then
            local ms = median(times)
            if not best or ms < best then best = ms end
        end
    end
    return best
end

local function is_shown(path, shape)
    for _, pair in ipairs(SHOWN[path]) do
        if shape[3] == pair[1] and shape[4] == pair[2] then return true end
    end
    return false
end

local function put_path(facts, path)
    local about, shapes = read(FOLDER .. path .. ".tsv")
    local source = about.gpu:lower():gsub(" ", "-") .. "/depthwise-" .. path
    local n = {pairs = 0, fastest = 0, clearly = 0, near = 0, before = 0}
    local most, timed = 0, false
    for key, value in pairs {gpu = about.gpu, driver = about.driver,
                             toolkit = about.toolkit:match("^%d+%.%d+"),
                             date = about.date, commit = about.commit} do
        facts:put("provenance/" .. source .. "/" .. key, value)
    end
    for _, shape in ipairs(shapes) do
        local before = fastest_before(shape)
        local floor = floor_of(shape, tonumber(about.flops_per_second))
        if before and floor then
            local own = shape.ms[MIDDLE] and median(shape.ms[MIDDLE])
            local now = math.min(own or before, before)
            n.pairs = n.pairs + 1
            n.before = n.before + (before < NEAR * floor and 1 or 0)
            n.near = n.near + (now < NEAR * floor and 1 or 0)
            if own then
                timed = true
                n.fastest = n.fastest + (own < before and 1 or 0)
                n.clearly = n.clearly + (CLEARLY * own < before and 1 or 0)
                most = math.max(most, before / own)
            end
            if is_shown(path, shape) then
                local at = string.format("%s/L%d/K%d/", source, shape[3],
                                         shape[4])
                facts:put(at .. "floor", 1e3 * floor, source)
                facts:put(at .. "before", 1e3 * before, source)
                facts:put(at .. "middle", own and 1e3 * own, source)
            end
        end
    end
    facts:put(source .. "/pairs", n.pairs, source)
    facts:put(source .. "/near-before", n.before, source)
    if timed then
        facts:put(source .. "/fastest", n.fastest, source)
        facts:put(source .. "/clearly", n.clearly, source)
        facts:put(source .. "/near", n.near, source)
        facts:put(source .. "/most", most, source)
    end
end

function M.put(facts)
    for _, path in ipairs(PATHS) do put_path(facts, path[1]) end
end

local function whole(value)
    return value and string.format("%d", value) or "–"
end

function M.middle(t)
    t:head({"path", "pairs", "the new kernel is the fastest",
            "by more than 5 %", "at most, times as fast",
            "within 1.5 floors: before", "with it"}, "lrrrrrr")
    for _, path in ipairs(PATHS) do
        local at = provenance.book_gpu .. "/depthwise-" .. path[1] .. "/"
        t:row {path[2], whole(t:use(at .. "pairs")),
               whole(t:use(at .. "fastest")), whole(t:use(at .. "clearly")),
               t:times(at .. "most"), whole(t:use(at .. "near-before")),
               whole(t:use(at .. "near"))}
    end
end

local function some_shapes(t, path)
    t:head({"L", "K", "floor, µs", "chapters 05 to 09, µs",
            "the new kernel, µs"}, "rrrrr")
    for _, pair in ipairs(SHOWN[path]) do
        local at = string.format("%s/depthwise-%s/L%d/K%d/",
                                 provenance.book_gpu, path, pair[1], pair[2])
        t:row {tostring(pair[1]), tostring(pair[2]), t:ms(at .. "floor"),
               t:ms(at .. "before"), t:ms(at .. "middle")}
    end
end

function M.middle_shapes(t) some_shapes(t, "forward") end

function M.middle_weights(t) some_shapes(t, "weight_grad") end

return M
