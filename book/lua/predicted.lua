-- SPDX-License-Identifier: MIT
-- predicted.lua: tables of what the simulated GPU's model says, beside what was
-- measured:
--
--   times(t)          of each kernel
--   summary(t)        how many agree: stages, pairs of them, microbenchmarks
--   rates(t, NAME)    of a table of microbenchmarks, row by row
--   microbenchmarks   these tables: their facts' prefix, file, and what they are
--   bytes(t)          that move, beside what Nsight counted
--   busy(t[, NN])     how busy each resource is, per kernel (of a chapter)

local provenance = require "provenance"

local M = {}
local GPU = provenance.book_gpu

M.microbenchmarks = {
    {prefix = "rate", file = "tests/hardware/rates-h200.csv",
     what = "units, latencies, bandwidths"},
    {prefix = "tensor", file = "tests/hardware/tensor-h200.csv",
     what = "tensor cores, matrix loads"},
    {prefix = "atomics", file = "tests/hardware/atomics-h200.csv",
     what = "atomics"},
    {prefix = "caches", file = "tests/hardware/caches-h200.csv",
     what = "constants, reads at random, L2 between launches"},
    {prefix = "memory", file = "tests/hardware/caches-memory-h200.csv",
     what = "of these, bytes read of device memory", unit = "bytes",
     least = 1e6}, -- in a row of fewer, both are next to nothing
}

-- "04/forward" of each kernel that has one, in order.
local function predictions(facts)
    local list = {}
    for _, key in ipairs(facts:keys()) do
        list[#list + 1] = key:match("^predicted/(%d+/[^/]+)/ms$")
    end
    return list
end

local function chapter_and_kernel(at)
    local chapter, kernel = at:match("^(%d+)/(.*)$")
    return chapter, "`" .. kernel .. "`"
end

function M.times(t)
    t:head({"chapter", "kernel", "measured, ms", "PREDICTED, ms",
            "over measured", "what binds"}, "llrrrl")
    for _, at in ipairs(predictions(t.facts)) do
        local chapter, kernel = chapter_and_kernel(at)
        t:row {chapter, kernel, t:ms(GPU .. "/" .. at .. "/time_ms"),
               t:ms("predicted/" .. at .. "/ms"),
               t:times("predicted/" .. at .. "/over_measured"),
               t.facts.value["predicted/" .. at .. "/bound"]}
    end
end

local STAGE_BAR, RATE_BAR = 1.35, 1.5

local function within(ratio, bar) return ratio <= bar and ratio >= 1 / bar end

-- Of a list of {predicted, measured}: how many lie within the bar, and the mean
-- distance of their ratio from 1, in percent.
local function quality(list, bar)
    local good, off = 0, 0
    for _, pair in ipairs(list) do
        local ratio = pair[1] / pair[2]
        good = good + (within(ratio, bar) and 1 or 0)
        off = off + math.abs(ratio - 1)
    end
    return good, 100 * off / #list
end

-- Of all pairs, or of those whose measured times differ by more than `apart`.
local function ordered(list, apart)
    local good, n = 0, 0
    for i = 1, #list do
        for j = 1, i - 1 do
            local a, b = list[i], list[j]
            local ratio = a[2] / b[2]
            if ratio > apart or ratio < 1 / apart then
                n = n + 1
                good = good + ((a[1] > b[1]) == (a[2] > b[2]) and 1 or 0)
            end
        end
    end
    return good, n
end

local function of_pairs(t, what, list, apart)
    local good, n = ordered(list, apart)
    t:row {what, tostring(n), string.format("%d (%.1f %%)", good,
                                            100 * good / n), "–"}
end

local function is_little(table, predicted, measured)
    return math.max(predicted, measured) < (table.least or 0)
end

-- Rows of a table in its order: name, unit, predicted, measured. Without those
-- that are next to nothing, unless `all`.
local function rates_of(t, table, all)
    local list = {}
    for line in io.lines(table.file) do
        local name, unit = line:match("^([%w_]+),[%d.]+,(.*)$")
        local at = name and table.prefix .. "/" .. name
        local row = at and {t:use("predicted-" .. at), t:use(at), name = name,
                            unit = table.unit or (unit ~= "" and unit or "–")}
        if row and (all or not is_little(table, row[1], row[2])) then
            list[#list + 1] = row
        end
    end
    return list
end

local function of_rates(t, table)
    local list = rates_of(t, table)
    local good, off = quality(list, RATE_BAR)
    t:row {table.what .. ", within a factor of " .. RATE_BAR,
           tostring(#list), tostring(good), string.format("%.1f", off)}
end

function M.summary(t)
    local stages = {}
    for _, at in ipairs(predictions(t.facts)) do
        local measured = t:use(GPU .. "/" .. at .. "/time_ms")
        if measured then
            table.insert(stages, {t:use("predicted/" .. at .. "/ms"), measured})
        end
    end
    local good, off = quality(stages, STAGE_BAR)
    t:head({"what", "number", "as measured", "mean error, %"}, "lrrr")
    t:row {"stages, within a factor of " .. STAGE_BAR, tostring(#stages),
           tostring(good), string.format("%.1f", off)}
    of_pairs(t, "pairs of stages, in the right order", stages, 1)
    of_pairs(t, "pairs more than a factor of 1.2 apart", stages, 1.2)
    for _, table in ipairs(M.microbenchmarks) do of_rates(t, table) end
end

function M.rates(t, prefix)
    t:head({"microbenchmark", "unit", "measured", "PREDICTED",
            "over measured"}, "llrrr")
    for _, table in ipairs(M.microbenchmarks) do
        for _, row in ipairs(table.prefix == prefix and
                             rates_of(t, table, true) or {}) do
            t:row {"`" .. row.name .. "`", row.unit,
                   string.format("%.4g", row[2]), string.format("%.4g", row[1]),
                   is_little(table, row[1], row[2]) and "–" or
                       string.format("%.2f", row[1] / row[2])}
        end
    end
end

local function giga(bytes) return string.format("%.2f", bytes * 1e-9) end

function M.bytes(t)
    t:head({"chapter", "kernel", "L2, GB: counted", "PREDICTED",
            "memory, GB: counted", "PREDICTED"}, "llrrrr")
    for _, at in ipairs(predictions(t.facts)) do
        local timed, model = "timed/" .. at .. "/", "predicted/" .. at .. "/"
        local l2 = t:use(timed .. "l2_read_sectors")
        if l2 then
            local chapter, kernel = chapter_and_kernel(at)
            t:row {chapter, kernel,
                   giga(32 * (l2 + t:use(timed .. "l2_write_sectors"))),
                   giga(t:use(model .. "l2_bytes")),
                   giga(t:use(timed .. "memory_read_bytes") +
                        t:use(timed .. "memory_write_bytes")),
                   giga(t:use(model .. "memory_bytes"))}
        end
    end
end

-- Bottlenecks ----------------------------------------------------------------

local function busy_keys(facts, number)
    local list = {}
    for line in io.lines("tests/hardware/busy-h200.csv") do -- their order
        local chapter, kernel = line:match("^(%d%d),([^,]+),")
        if chapter and (not number or chapter == number) then
            list[#list + 1] = chapter .. "/" .. kernel
        end
    end
    return list
end

function M.busy(t, number)
    local derive = require "derive"
    local cells, keys = {"chapter", "kernel"}, {}
    for _, row in ipairs(derive.resources) do
        cells[#cells + 1] = row[2]
        keys[#keys + 1] = row[1]
    end
    for _, more in ipairs {{"l1_hits", "L1 hits"}, {"warps", "warps"}} do
        cells[#cells + 1] = more[2]
        keys[#keys + 1] = more[1]
    end
    cells[#cells + 1] = "what binds"
    t:head(cells, "ll" .. ("r"):rep(#keys) .. "l")
    for _, at in ipairs(busy_keys(t.facts, number)) do
        local chapter, kernel = chapter_and_kernel(at)
        local row = {chapter, kernel}
        for _, key in ipairs(keys) do
            row[#row + 1] = string.format("%.0f %%",
                t.facts:number("busy/" .. at .. "/" .. key))
        end
        row[#row + 1] = t.facts.value["busy/" .. at .. "/binds"]
        t:row(row)
        t.measured = true
    end
end

return M
