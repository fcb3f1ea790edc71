-- SPDX-License-Identifier: MIT
-- tables.lua: a table of results as Markdown, by name:
--
--   study-cited     the study's times, ms
--   study           the study's times beside ours, ms
--   study-steps     how many times as fast as the stage before, both
--   aims            what chapters set out to reach, and where they are
--   shares-LADDER   the paths of each chapter: part of the step, GB/s
--   ladder-LADDER   each chapter's times, ms, and over a copy
--   steps-NN        a chapter's kernels, each against the one before it
--   predicted       the traffic model's times beside the measured ones
--                   (predicted.lua; so the next four)
--   predicted-summary how many of these agree, pairs, microbenchmarks
--   microbenchmarks-NAME its figures for a table of them, beside an H200's:
--                   rate, tensor, atomics, caches, memory
--   predicted-bytes the bytes it moves beside what Nsight counted
--   busy            how busy each resource is, per kernel; busy-NN: of a chapter
--   gpus            the cards that the simulated GPU knows (common/simgpu/gpu.c)
--   peers-SHAPE     our newest stages beside their peers at a shape, ms
--   triton          Triton and PyTorch over ours; triton-lines: of code
--                   (versus.lua)
--   sweep-peers     chapter 23's sweep beside cuBLAS (sweep.lua);
--                   sweep-bf16-peers: that of bf16
--   depthwise-middle   what kernels for dozens of taps bring (depthwise.lua);
--                   depthwise-middle-shapes: at some shapes; -weights: of
--                   the weight gradient
--   train-KIND      chapter 24's models (training.lua): epochs, shares, floors,
--                   steps, images, seeds
--
-- What was not measured is a dash. A table without a measured cell is an error.
-- Below a table stands where and when it was measured: in one sentence, which
-- names every run that took part.
--
--   lines(NAME, facts)    a list of lines
--   main(NAME, FACTS)     prints them

local workbook = require "workbook"
local gpu_module = require "gpus"
local provenance = require "provenance"
local predicted = require "predicted"
local versus = require "versus"
local training = require "training"
local sweep = require "sweep"
local depthwise = require "depthwise"

local M = {}
local GPU = provenance.book_gpu

local Table = {}
Table.__index = Table

function Table:row(cells)
    table.insert(self.lines, "| " .. table.concat(cells, " | ") .. " |")
end

-- align: "llrr", a letter per column
function Table:head(cells, align)
    self:row(cells)
    local rule = align:gsub(".", {l = "---|", r = "--:|"})
    table.insert(self.lines, "|" .. rule)
end

-- The number of a fact that is shown; nil where it was not measured.
function Table:use(key)
    local value = self.facts:number(key)
    if value then
        self.measured = true
        for source in self.facts.sources[key]:gmatch("[^,]+") do
            self.sources[source] = true
        end
    end
    return value
end

function Table:ms(key) -- three digits; "24." is 24 and a point too many
    local value = self:use(key)
    if not value then return "–" end
    return (string.format(value < 100 and "%#.3g" or "%.0f", value)
            :gsub("%.$", ""))
end

function Table:times(key)
    local value = self:use(key)
    return value and string.format("%.2f", value) or "–"
end

-- "total" among a ladder's paths, where there is more than one to sum up.
local function with_total(paths)
    local names, heads = {}, workbook.heads(paths)
    for i, path in ipairs(paths) do names[i] = path.name end
    if #paths > 1 then
        table.insert(names, "total")
        table.insert(heads, "total")
    end
    return names, heads
end

local function gpu_name(facts)
    return (facts.value[GPU .. "/gpu"] or GPU):gsub("^NVIDIA ", "")
end

-- The study ------------------------------------------------------------------

local function study_ladder()
    for _, ladder in ipairs(workbook.ladders) do
        for _, chapter in ipairs(ladder.chapters) do
            if chapter.study then return ladder end
        end
    end
    error("no chapter names a stage of the study", 0)
end

-- Two groups of columns, the study's and ours, under one head.
local function beside(t, paths, heads)
    local cells = {"study", "ours"}
    for i, head in ipairs(heads) do
        cells[#cells + 1] = i == 1 and
            (t.facts.value["study/gpu"] .. ": " .. head) or head
    end
    for i, head in ipairs(heads) do
        cells[#cells + 1] = i == 1 and gpu_name(t.facts) .. ": " .. head or head
    end
    t:head(cells, "ll" .. ("r"):rep(2 * #paths))
end

-- `of(where, path)` gives a cell; where is "study/naive" or "GPU/04".
local function study_rows(t, from, theirs, ours)
    local ladder = study_ladder()
    local paths, heads = with_total(ladder.paths)
    beside(t, paths, heads)
    for i = from, #ladder.chapters do
        local chapter = ladder.chapters[i]
        local cells = {chapter.study or "–", chapter.number}
        for _, path in ipairs(paths) do
            cells[#cells + 1] = chapter.study and
                theirs("study/" .. chapter.study .. "/" .. path) or "–"
        end
        local known
        for _, path in ipairs(paths) do
            cells[#cells + 1] = ours(GPU .. "/" .. chapter.number .. "/" .. path)
            known = known or cells[#cells] ~= "–"
        end
        if chapter.study or known then t:row(cells) end
    end
end

local function study(t)
    study_rows(t, 1, function(at) return t.facts.value[at .. "/time_ms"] end,
               function(at) return t:ms(at .. "/time_ms") end)
end

-- Against the ladder's second stage: the first is slow on purpose.
local function study_steps(t)
    local base = study_ladder().chapters[2]
    study_rows(t, 3, function(at)
        return t:times(at .. "/step_from/" .. base.study)
    end, function(at) return t:times(at .. "/step_from/" .. base.number) end)
end

local function study_cited(t)
    local ladder = study_ladder()
    local paths = with_total(ladder.paths)
    local cells = {"ms"}
    for _, path in ipairs(ladder.paths) do cells[#cells + 1] = path.label end
    cells[#cells + 1] = "total"
    t:head(cells, "l" .. ("r"):rep(#paths))
    for _, chapter in ipairs(ladder.chapters) do
        if chapter.study then
            local row = {chapter.study}
            for _, path in ipairs(paths) do
                row[#row + 1] = t.facts.value["study/" .. chapter.study ..
                                              "/" .. path .. "/time_ms"]
            end
            t:row(row)
            t.measured = true
        end
    end
end

-- Where a ladder's time is ---------------------------------------------------

local function ladder_of(name)
    return workbook.ladders[name] or error("no ladder " .. name, 0)
end

local function shares(t, name)
    local ladder = ladder_of(name)
    local heads = workbook.heads(ladder.paths)
    local cells = {"chapter", table.unpack(heads)}
    cells[2] = "share: " .. cells[2]
    for i, head in ipairs(heads) do
        cells[#cells + 1] = i == 1 and "GB/s: " .. head or head
    end
    t:head(cells, "l" .. ("r"):rep(2 * #heads))
    for _, chapter in ipairs(ladder.chapters) do
        local at = GPU .. "/" .. chapter.number .. "/"
        local total = t:use(at .. "total/time_ms")
        if total then
            local row, rates = {chapter.number}, {}
            for i, path in ipairs(ladder.paths) do
                local ms = t:use(at .. path.name .. "/time_ms")
                row[#row + 1] = string.format("%.0f %%", 100 * ms / total)
                rates[i] = string.format("%.0f",
                    t:use(at .. path.name .. "/bytes") / ms * 1e-6)
            end
            t:row(table.move(rates, 1, #rates, #row + 1, row))
        end
    end
end

local function ladder_table(t, name)
    local ladder = ladder_of(name)
    local paths, heads = with_total(ladder.paths)
    local cells = {"chapter"}
    for i, head in ipairs(heads) do
        cells[#cells + 1] = i == 1 and "ms: " .. head or head
    end
    for i, head in ipairs(heads) do
        cells[#cells + 1] = i == 1 and "x copy: " .. head or head
    end
    t:head(cells, "l" .. ("r"):rep(2 * #paths))
    for _, chapter in ipairs(ladder.chapters) do
        local row = {chapter.number}
        local at = GPU .. "/" .. chapter.number .. "/"
        for _, path in ipairs(paths) do
            row[#row + 1] = t:ms(at .. path .. "/time_ms")
        end
        for _, path in ipairs(paths) do
            row[#row + 1] = t:times(at .. path .. "/over_copy")
        end
        t:row(row)
    end
end

local function steps(t, number)
    local chapter
    for _, other in ipairs(workbook.chapters) do
        if other.number == number then chapter = other end
    end
    if not chapter then error("no chapter " .. tostring(number), 0) end
    t:head({"kernel", "ms", "times as fast", "as", "x copy"}, "lrrlr")
    for _, kernel in ipairs(chapter.kernels) do
        local at = GPU .. "/" .. number .. "/" .. kernel.name .. "/"
        t:row {"`" .. kernel.name .. "`", t:ms(at .. "time_ms"),
               t:times(at .. "speedup"),
               kernel.previous and "`" .. kernel.previous .. "`" or
               chapter.previous and "chapter " .. chapter.previous or "–",
               t:times(at .. "over_copy")}
    end
end

-- Cards ----------------------------------------------------------------------

local function gpus(t)
    t:head({"card", "capability", "SMs", "threads", "L1, KiB",
            "shared, KiB", "L2, MiB", "GB/s", "TFLOP/s"}, "lrrrrrrrr")
    for _, gpu in ipairs(gpu_module.rows()) do
        local function number(name, scale)
            return string.format("%.4g",
                tonumber(gpu[name]:match("^[%d.e]+")) * (scale or 1))
        end
        t:row {gpu.name, gpu.cc_major .. "." .. gpu.cc_minor, number("sms"),
               number("max_threads_sm"), number("l1_bytes"),
               number("shared_block_optin"), number("l2_bytes"),
               number("bandwidth", 1e-9), number("fp32", 1e-12)}
        t.measured = true
    end
end

-- Aims -----------------------------------------------------------------------

-- "chapter 07 forward, over a copy: forward/over_copy <= 1.35"
local function aim(t, chapter, text)
    local words, key, sense, limit = text:match("^(.-): (%S+) ([<>]=) (%S+)$")
    if not key:match("^peers/") then key = chapter.number .. "/" .. key end
    local value = t:use(GPU .. "/" .. key)
    local wanted = (sense == "<=" and "at most " or "at least ") .. limit .. "x"
    if not value then
        t:row {words, wanted, "–", "–"}
        return
    end
    local reached = sense == "<=" and value <= tonumber(limit)
        or sense == ">=" and value >= tonumber(limit)
    t:row {words, wanted, string.format("%.2fx", value),
           reached and "reached" or "not reached"}
end

local function aims(t)
    t:head({"aim", "limit", "measured", ""}, "lrrl")
    for _, chapter in ipairs(workbook.chapters) do
        for _, text in ipairs(chapter.aims) do aim(t, chapter, text) end
    end
end

-- The peers ------------------------------------------------------------------

-- Who was measured at a shape: the copy, ours, and then the others by name.
local function peers_at(facts, at)
    local others, seen = {}, {copy = true, ours = true}
    for _, key in ipairs(facts:below(at)) do
        local peer = key:sub(#at + 1):match("^[^/]+/([^/]+)/ms$")
        if peer and not seen[peer] and not peer:match("^chapter%-") then
            seen[peer] = true
            others[#others + 1] = peer
        end
    end
    return {"copy", "ours", table.unpack(others)}
end

local function peers(t, name)
    local shape = workbook.shapes[name] or error("no shape " .. name, 0)
    local paths, heads = with_total(shape.paths)
    local at = GPU .. "/peers/" .. name .. "/"
    local cells = {"ms; times a copy", table.unpack(heads)}
    for i, head in ipairs(heads) do
        cells[#cells + 1] = i == 1 and "x copy: " .. head or head
    end
    t:head(cells, "l" .. ("r"):rep(2 * #paths))
    for _, peer in ipairs(peers_at(t.facts, at)) do
        local row = {t.facts.value["label/" .. peer] or peer}
        for _, path in ipairs(paths) do
            row[#row + 1] = t:ms(at .. path .. "/" .. peer .. "/ms")
        end
        for _, path in ipairs(paths) do
            row[#row + 1] = t:times(at .. path .. "/" .. peer .. "/over_copy")
        end
        t:row(row)
    end
end

-- A name, or a name with what it is of.
local makers = {
    ["study"] = study, ["study-cited"] = study_cited,
    ["study-steps"] = study_steps, ["aims"] = aims, ["gpus"] = gpus,
    ["predicted"] = predicted.times, ["predicted-bytes"] = predicted.bytes,
    ["predicted-summary"] = predicted.summary,
    ["busy"] = predicted.busy,
    ["sweep-peers"] = sweep.peers, ["depthwise-middle"] = depthwise.middle,
    ["depthwise-middle-shapes"] = depthwise.middle_shapes,
    ["depthwise-middle-weights"] = depthwise.middle_weights,
    ["sweep-bf16-peers"] = sweep.peers_of_bf16, ["triton"] = versus.triton,
    ["triton-lines"] = versus.triton_lines,
}
local makers_of = {shares = shares, ladder = ladder_table, steps = steps,
                   peers = peers, busy = predicted.busy,
                   microbenchmarks = predicted.rates,
                   train = function(t, of) training[of](t) end}

function M.lines(name, facts)
    local t = setmetatable({facts = facts, lines = {}, sources = {}}, Table)
    local kind, of = name:match("^(%l+)%-(.+)$")
    local make = makers[name] or makers_of[kind]
    if not make then error("no table " .. name, 0) end
    make(t, of)
    if not t.measured then
        error("no table " .. name .. " in these results", 0)
    end
    local sentence = provenance.sentence(facts, t.sources)
    if sentence then
        table.insert(t.lines, "")
        table.insert(t.lines, sentence)
    end
    return t.lines
end

function M.main(name, path)
    for _, line in ipairs(M.lines(name, require("facts").load(path))) do
        print(line)
    end
end

return M
