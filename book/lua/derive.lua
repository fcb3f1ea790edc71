-- SPDX-License-Identifier: MIT
-- derive.lua: what follows from results:
--
--   GPU/NN/total/time_ms, copy_ms        a ladder's paths together
--   GPU/NN/KERNEL/over_copy              time over a copy of the same bytes
--   GPU/NN/KERNEL/step_from/MM           how many times as fast as chapter MM
--   GPU/peers/SHAPE/PATH/ours/ms         our newest stage, chapter-.. as well
--   GPU/peers/SHAPE/total/PEER/ms        the shape's paths together
--   GPU/peers/SHAPE/PATH/PEER/over_copy  time over the copy
--   GPU/peers/SHAPE/PATH/PEER/times_ours how many times as long as ours
--   GPU/peers/SHAPE/PATH/PEER/ours_over  ours over it
--   predicted/NN/KERNEL/over_measured    on the book's GPU
--   predicted-change/NN/KERNEL/CHANGE/percent_more, percent_less
--                                        than the solution's prediction
--   busy/NN/KERNEL/binds                 the busiest resource, or what it waits for
--   study/VARIANT/PATH/step_from/OTHER
--
-- KERNEL and PATH may be `total`. A total of two paths out of three is no
-- total: nothing is derived from what is not there.
--
--   derive(facts)    adds them
--   main(LINES)      prints the facts of a file with them

local workbook = require "workbook"
local provenance = require "provenance"

local M = {}

-- "a,b" and "b,c": "a,b,c"
local function joined(...)
    local seen, list = {}, {}
    for _, sources in ipairs {...} do
        for source in sources:gmatch("[^,]+") do
            if not seen[source] then list[#list + 1] = source end
            seen[source] = true
        end
    end
    table.sort(list)
    return table.concat(list, ",")
end

local function put(facts, key, value, ...)
    if not facts.value[key] then
        facts:put(key, value, joined(...))
    end
end

local function ratio(facts, to, over, under)
    local a, b = facts:number(over), facts:number(under)
    if a and b then
        put(facts, to, a / b, facts.sources[over], facts.sources[under])
    end
end

-- The sum over paths of KEY, which has `@` where the path's name stands.
local function total(facts, key, paths)
    local sum, sources = 0, {}
    for _, path in ipairs(paths) do
        local at = key:gsub("@", path.name)
        if not facts:number(at) then return end
        sum = sum + facts:number(at)
        sources[#sources + 1] = facts.sources[at]
    end
    put(facts, (key:gsub("@", "total")), sum, table.unpack(sources))
end

local function ours(facts, key)
    local at, what = key:match("^(.*/peers/.*)/chapter%-%d+/([a-z_]+)$")
    if what == "ms" or what == "scratch_bytes" then
        put(facts, at .. "/ours/" .. what, facts:number(key),
            facts.sources[key])
    end
end

-- Each total once: where the key is of the ladder's, or shape's, first path.
local function totals(facts, key)
    local at, chapter, kernel, what =
        key:match("^([^/]+/(%d+))/([^/]+)/(%l+_ms)$")
    if at and (what == "time_ms" or what == "copy_ms") then
        for _, ladder in ipairs(workbook.ladders) do
            for _, rung in ipairs(ladder.chapters) do
                if rung.number == chapter and ladder.paths[1].name == kernel then
                    total(facts, at .. "/@/" .. what, ladder.paths)
                end
            end
        end
    end
    local front, shape, path, peer =
        key:match("^([^/]+/peers/(%l+))/([^/]+)/([^/]+)/ms$")
    local known = shape and workbook.shapes[shape]
    if known and known.paths[1].name == path then
        total(facts, front .. "/@/" .. peer .. "/ms", known.paths)
    end
end

local function over_copy(facts, key)
    local at = key:match("^([^/]+/%d+/.*)/time_ms$")
    if at then ratio(facts, at .. "/over_copy", key, at .. "/copy_ms") end

    local path, peer = key:match("^([^/]+/peers/.*)/([^/]+)/ms$")
    if not path then return end
    at = path .. "/" .. peer
    ratio(facts, at .. "/over_copy", key, path .. "/copy/ms")
    if peer == "copy" or peer == "ours" or peer:match("^chapter%-") then
        return
    end
    ratio(facts, at .. "/times_ours", key, path .. "/ours/ms")
    ratio(facts, at .. "/ours_over", path .. "/ours/ms", key)
end

local function predicted(facts, key)
    local at = key:match("^predicted/(.*)/ms$")
    if at then
        ratio(facts, "predicted/" .. at .. "/over_measured", key,
              provenance.book_gpu .. "/" .. at .. "/time_ms")
    end
end

local function changed(facts, key)
    local at, kernel = key:match("^(predicted%-change/(%d+/[^/]+)/[^/]+)/ms$")
    local solution = at and facts:number("predicted/" .. kernel .. "/ms")
    if solution then
        local more = 100 * (facts:number(key) / solution - 1)
        put(facts, at .. "/percent_more", more, facts.sources[key])
        put(facts, at .. "/percent_less", -more, facts.sources[key])
    end
end

-- A resource that is busy two thirds of the time binds; else the kernel waits.
local RESOURCES = {{"issue", "issue slots"}, {"fma", "arithmetic"},
                   {"l1", "L1"}, {"l2", "L2"},
                   {"memory", "memory"}}
local WAITS = {{"wait_global", "global loads"}, {"wait_shared", "shared loads"},
               {"wait_lsu", "the queue of L1"},
               {"wait_mio", "the queue of shared memory"},
               {"wait_barrier", "a barrier"},
               {"wait_fixed", "earlier results"}}
M.resources, M.waits, M.bound_percent = RESOURCES, WAITS, 66

local function largest(facts, at, list)
    local most, name = -1, nil
    for _, row in ipairs(list) do
        local value = facts:number(at .. row[1])
        if value and value > most then most, name = value, row[2] end
    end
    return most, name
end

local function binds(facts, key)
    local at = key:match("^(busy/%d+/[^/]+/)issue$")
    if not at then return end
    local busy, name = largest(facts, at, RESOURCES)
    local _, wait = largest(facts, at, WAITS)
    put(facts, at .. "binds", busy >= M.bound_percent and name or
        "waiting for " .. wait, facts.sources[key])
end

-- Chapter against an earlier chapter, variant against variant.
local function steps(facts, keys)
    local groups = {}
    for _, key in ipairs(keys) do
        local where, stage, path = key:match("^([^/]+)/([^/]+)/([^/]+)/time_ms$")
        if where and where ~= "sim" then
            local id = where .. "/" .. path
            groups[id] = groups[id] or {}
            table.insert(groups[id], {where, stage, path, key})
        end
    end
    for _, group in pairs(groups) do
        for _, a in ipairs(group) do
            for _, b in ipairs(group) do
                if a[2] ~= b[2] and (a[1] == "study" or a[2] > b[2]) then
                    ratio(facts, a[1] .. "/" .. a[2] .. "/" .. a[3] ..
                          "/step_from/" .. b[2], b[4], a[4])
                end
            end
        end
    end
end

function M.derive(facts)
    for _, rule in ipairs {ours, totals, over_copy, predicted, changed,
                          binds} do
        for _, key in ipairs(facts:keys()) do rule(facts, key) end
    end
    steps(facts, facts:keys())
end

function M.main(path)
    local facts = require("facts").load(path)
    M.derive(facts)
    facts:print()
end

return M
