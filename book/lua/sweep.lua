-- SPDX-License-Identifier: MIT
-- sweep.lua: chapter 23's sweeps (chapters/23-*/sweep.tsv, sweep-bf16.tsv) beside
-- cuBLAS, as facts and as tables:
--
--   put(facts, path, name)      GPU/NAME/PART/shapes, mean, worst, faster
--   peers(t), peers_of_bf16(t)  the tables
--
-- Per shape: cuBLAS's time over that of our fastest kernel, both medians of
-- their repeats. mean is the geometric mean of these ratios, worst the least,
-- faster how many of them are at least 1.

local provenance = require "provenance"

local M = {}
local PEER = "peer_cublas"
local PARTS = {
    {"all", "all", function() return true end},
    {"short", "K up to 32", function(_, _, k) return k <= 32 end},
    {"middle", "K from 33 to 511",
     function(_, _, k) return k > 32 and k < 512 end},
    {"long", "K from 512 on", function(_, _, k) return k >= 512 end},
    {"thin", "M or N up to 32",
     function(m, n) return m <= 32 or n <= 32 end},
}

local function median(list)
    table.sort(list)
    local middle = #list // 2
    return #list % 2 == 1 and list[middle + 1]
        or (list[middle] + list[middle + 1]) / 2
end

-- The head's fields, and per shape its extents and the times of each kernel.
local function read(path)
    local about, shapes, by = {}, {}, {}
    for line in io.lines(path) do
        local name, value = line:match("^# (%S+)\t(.*)$")
        local set, m, n, k, kernel, outcome, ms = line:match(
            "^(%l[%l_]*)\t(%d+)\t(%d+)\t(%d+)\t(%S+)\t%d+\t(%l+)\t(%S+)$")
        if name then
            about[name] = value
        elseif outcome == "ok" then
            local key = table.concat({set, m, n, k}, " ")
            if not by[key] then
                by[key] = {tonumber(m), tonumber(n), tonumber(k), ms = {}}
                shapes[#shapes + 1] = by[key]
            end
            local times = by[key].ms
            times[kernel] = times[kernel] or {}
            table.insert(times[kernel], tonumber(ms))
        end
    end
    return about, shapes
end

-- nil: no peer was measured there.
local function ratio(shape)
    local best
    if not shape.ms[PEER] then return nil end
    for kernel, times in pairs(shape.ms) do
        local ms = kernel ~= PEER and median(times)
        if ms and (not best or ms < best) then best = ms end
    end
    return best and median(shape.ms[PEER]) / best
end

function M.put(facts, path, name)
    local about, shapes = read(path)
    if about.source ~= "measured" then return end
    -- "NVIDIA H100 80GB HBM3" is nvidia-h100.
    local source = about.gpu:lower():match("^%S+ %S+"):gsub(" ", "-") .. "/" ..
        name
    for key, value in pairs {gpu = about.gpu, driver = about.driver,
                             toolkit = about.toolkit:match("^%d+%.%d+"),
                             date = about.date, commit = about.commit} do
        facts:put("provenance/" .. source .. "/" .. key, value)
    end
    for _, part in ipairs(PARTS) do
        local n, logs, worst, faster = 0, 0, math.huge, 0
        for _, shape in ipairs(shapes) do
            local r = part[3](shape[1], shape[2], shape[3]) and ratio(shape)
            if r then
                n, logs, worst = n + 1, logs + math.log(r), math.min(worst, r)
                faster = faster + (r >= 1 and 1 or 0)
            end
        end
        if n > 0 then
            local at = source .. "/" .. part[1] .. "/"
            facts:put(at .. "shapes", n, source)
            facts:put(at .. "mean", math.exp(logs / n), source)
            facts:put(at .. "worst", worst, source)
            facts:put(at .. "faster", faster, source)
        end
    end
end

local function percent(value)
    return value and string.format("%.0f", 100 * value) or "–"
end

-- Where a sweep's facts are: it may be another GPU's than the book's.
local function place(t, name)
    for _, key in ipairs(t.facts:keys()) do
        local at = key:match("^([^/]+/" .. name:gsub("%-", "%%-") .. "/)all/mean$")
        if at then return at end
    end
    return provenance.book_gpu .. "/" .. name .. "/"
end

local function beside(t, name)
    local from = place(t, name)
    t:head({"shapes", "how many", "cuBLAS's time over ours, %: mean", "least",
            "at least as fast"}, "lrrrr")
    for _, part in ipairs(PARTS) do
        local at = from .. part[1] .. "/"
        local n, faster = t:use(at .. "shapes"), t:use(at .. "faster")
        t:row {part[2], n and string.format("%d", n) or "–",
               percent(t:use(at .. "mean")), percent(t:use(at .. "worst")),
               faster and string.format("%d", faster) or "–"}
    end
end

function M.peers(t)
    beside(t, "sweep")
end

function M.peers_of_bf16(t)
    beside(t, "sweep-bf16")
end

return M
