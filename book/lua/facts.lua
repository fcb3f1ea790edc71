-- SPDX-License-Identifier: MIT
-- facts.lua: every number that a page may quote, as lines `KEY VALUE SOURCES`,
-- separated by tabs, from RESULTS/GPU/*.json (book/results by default).
--
--   GPU/NN/KERNEL/time_ms ...   measured on that GPU
--   GPU/gpu, driver, toolkit, date, commit   of all that was measured on it
--   GPU/peers/SHAPE/PATH/PEER/ms ...         beside our newest stage
--   GPU/train/...               chapter 24's models (training.lua)
--   GPU/sweep/...               chapter 23's sweep beside cuBLAS (sweep.lua);
--   GPU/sweep-bf16/...          that of bf16
--   GPU/depthwise-PATH/...      sweeps of the convolution (depthwise.lua)
--   sim/NN/KERNEL/COUNTER       what the simulated GPU counted
--   ncu/NN/KERNEL/COUNTER       what an H200 counted, at a kernel's first shape
--                               in tests/hardware/h200.csv
--   predicted-rate/NAME         by the traffic model, of a row of rate/, in its
--                               unit (predicted-rates.tsv); so predicted-tensor/,
--                               predicted-atomics/, predicted-caches/ and
--                               predicted-memory/
--   predicted/NN/KERNEL/ms      by the traffic model (predicted.tsv), and its
--                               parts; over_measured
--   predicted-change/NN/KERNEL/CHANGE/ms
--                               of a solution with a change that a lesson
--                               proposes (predicted-changes.tsv), and how much
--                               more that is, in percent
--   timed/NN/KERNEL/COUNTER     what Nsight counted at the timed shape
--                               (tests/hardware/traffic-h200.csv)
--   busy/NN/KERNEL/RESOURCE     how busy it is on an H200, percent; how many
--                               warps wait for it (tests/hardware/busy-h200.csv)
--   rate/NAME                   a unit's rate or latency on an H200
--                               (tests/hardware/rates-h200.csv)
--   tensor/NAME                 clocks of tensor cores and matrix loads
--                               (tensor-h200.csv)
--   atomics/NAME                clocks of an H200 per lane (atomics-h200.csv)
--   caches/NAME                 what an H200 takes between launches, for
--                               constants and at random (caches-h200.csv)
--   memory/NAME                 bytes that it reads of device memory then
--                               (caches-memory-h200.csv)
--   occupancy/NN/KERNEL/threads, registers, shared   that a block takes
--                               (occupancy.tsv)
--   study/VARIANT/PATH/time_ms  cited (study.tsv)
--   provenance/SOURCE/date ...  of one source
--
-- and what derive.lua makes of them: totals, ratios, steps. SOURCES are the
-- results that a measured number comes from, such as nvidia-h200/solution-07,
-- with commas between them. What the simulator counts is the same whatever
-- machine it ran on: two results that disagree are an error.
--
--   main([RESULTS])     prints them
--   load(PATH)          the facts in such a file: value[KEY], sources[KEY]
--   new()               no facts; put(key, value, sources) adds one

local json = require "json"

local M = {}

-- The least digits that give the number back.
local function number_text(value)
    if math.type(value) == "integer" then return string.format("%d", value) end
    for digits = 15, 17 do
        local text = string.format("%." .. digits .. "g", value)
        if tonumber(text) == value then return text end
    end
end

local Facts = {}
Facts.__index = Facts

function M.new()
    return setmetatable({value = {}, sources = {}}, Facts)
end

function Facts:put(key, value, sources)
    if value == nil then return end
    local text = type(value) == "number" and number_text(value)
        or tostring(value):gsub("%s+", " ")
    if self.value[key] and self.value[key] ~= text then
        error("results disagree on " .. key, 0)
    end
    if not self.value[key] then self.sorted = nil end
    self.value[key] = text
    self.sources[key] = sources or ""
end

function Facts:number(key) return tonumber(self.value[key]) end

-- In order. The list is the next caller's, too: it is not to be changed.
function Facts:keys()
    if not self.sorted then
        self.sorted = {}
        for key in pairs(self.value) do table.insert(self.sorted, key) end
        table.sort(self.sorted)
    end
    return self.sorted
end

-- The keys that begin with FOLDER, which ends with a slash; in order, too.
function Facts:below(folder)
    local keys = self:keys()
    if self.indexed ~= keys then
        self.indexed, self.folders = keys, {}
        for _, key in ipairs(keys) do
            for slash in key:gmatch("()/") do
                local name = key:sub(1, slash)
                self.folders[name] = self.folders[name] or {}
                table.insert(self.folders[name], key)
            end
        end
    end
    return self.folders[folder] or {}
end

function Facts:print()
    for _, key in ipairs(self:keys()) do
        print(key .. "\t" .. self.value[key] .. "\t" .. self.sources[key])
    end
end

function M.load(path)
    local facts = M.new()
    local known = false
    for line in io.lines(path) do
        local key, value, sources = line:match("^([^\t]*)\t([^\t]*)\t?(.*)$")
        facts.value[key], facts.sources[key] = value, sources
        known = true
    end
    if not known then error("no facts in " .. path, 0) end
    return facts
end

-- Tables of text -------------------------------------------------------------

local function split(line, separator)
    local cells = {}
    for cell in (line .. separator):gmatch("([^" .. separator .. "]*)" ..
                                           separator) do
        cells[#cells + 1] = cell
    end
    return cells
end

local function rows(path)
    local file = io.open(path)
    if not file then error("cannot read " .. path, 0) end
    return file:lines()
end

-- KEY and VALUE on each line.
local function plain_rows(facts, path)
    for line in rows(path) do
        if not line:match("^#") then
            facts:put(table.unpack(split(line, "\t")))
        end
    end
end

-- "# kernel" begins the heading.
local function occupancy(facts)
    local names
    for line in rows("book/occupancy.tsv") do
        local cells = split(line, "\t")
        if cells[1] == "# kernel" then
            names = cells
        elseif not line:match("^#") then
            for i = 2, #cells do
                facts:put("occupancy/" .. cells[1] .. "/" .. names[i], cells[i])
            end
        end
    end
end

-- "# variant" begins the heading; the last column is of a whole epoch.
local function study(facts)
    local names
    for line in rows("book/study.tsv") do
        local cells = split(line, "\t")
        if cells[1] == "# variant" then
            names = cells
        elseif cells[1] == "# gpu" then
            facts:put("study/gpu", cells[2])
        elseif not line:match("^#") and line ~= "" then
            for i = 2, #cells - 1 do
                facts:put("study/" .. cells[1] .. "/" .. names[i] ..
                          "/time_ms", cells[i])
            end
            facts:put("study/" .. cells[1] .. "/epoch_s", cells[#cells])
        end
    end
end

-- By the hardware's counters; a kernel's first row stands.
local function counted(facts, prefix, path)
    local names
    local seen = {}
    for line in rows(path) do
        local cells = split(line, ",")
        if line:match("^#") then
        elseif not names then
            names = cells
        else
            local kernel = cells[1] .. "/" .. cells[2]
            for i = 5, seen[kernel] and 0 or #names do
                facts:put(prefix .. "/" .. kernel .. "/" .. names[i], cells[i])
            end
            seen[kernel] = true
        end
    end
end

local function rates(facts)
    for _, table in ipairs(require("predicted").microbenchmarks) do
        for line in rows(table.file) do
            local name, value = line:match("^([%w_]+),([%d.]+),")
            if name then facts:put(table.prefix .. "/" .. name, value) end
        end
    end
end

-- Results --------------------------------------------------------------------

local time_names = {median = "_ms", low = "_low_ms", high = "_high_ms"}

local function times(facts, where, run, source)
    for key, name in pairs(time_names) do
        local time = run.time_ms or {}
        facts:put(where .. "time" .. name, (time.this or {})[key], source)
        facts:put(where .. "previous" .. name, (time.previous or {})[key],
                  source)
        facts:put(where .. "speedup" .. name:gsub("_ms$", ""),
                  (run.speedup or {})[key], source)
    end
    for key, value in pairs(run.roofline or {}) do
        if type(value) ~= "table" then
            facts:put(where .. key, value, source)
        end
    end
end

local function one_run(facts, gpu, kernel, run, source)
    local sim = run.device.kind == "sim"
    local where = (sim and "sim" or gpu) .. "/" .. kernel .. "/"
    source = not sim and source or nil
    times(facts, where, run, source)
    if run.correct then facts:put(where .. "cases", run.correct.cases, source) end
    for key, value in pairs(run.counters or {}) do
        facts:put(where .. key, value, source)
    end
    for key, value in pairs(run.ratios or {}) do
        facts:put(where .. key, value, source)
    end
    for _, gate in ipairs(run.gates or {}) do
        if not (run.ratios or {})[gate.name] then
            facts:put(where .. gate.name, gate.value, source)
        end
    end
end

local function report(facts, gpu, source, chapter, result)
    for _, kernel in ipairs(result.kernels) do
        local name = chapter .. "/" .. kernel.name
        for key, value in pairs(kernel.build or {}) do
            facts:put(gpu .. "/" .. name .. "/" .. key, value, source)
        end
        for _, run in ipairs(kernel.runs or {}) do
            one_run(facts, gpu, name, run, source)
        end
    end
end

local function peers(facts, gpu, source, result)
    local at = gpu .. "/peers/"
    for key, value in pairs(result.versions) do
        facts:put(at .. key, value, source)
    end
    for _, shape in ipairs(result.shapes) do
        facts:put(at .. shape.name .. "/shape", shape.shape)
    end
    for _, label in ipairs(result.labels) do
        facts:put("label/" .. label.name, label.label)
    end
    for _, row in ipairs(result.rows) do
        for key, name in pairs(time_names) do
            facts:put(at .. row.name .. "/" .. name:sub(2), row.ms[key], source)
        end
        if row.scratch_bytes then
            facts:put(at .. row.name .. "/scratch_bytes", row.scratch_bytes,
                      source)
        end
    end
end

-- Any other: what stands on its top level.
local function plain(facts, gpu, source, result)
    for key, value in pairs(result) do
        if type(value) ~= "table" then
            facts:put(gpu .. "/" .. key, value, source)
        end
    end
    for key, value in pairs(result) do
        local pipe = key:match("^(.*)_flops_per_second$")
        if pipe then
            facts:put(gpu .. "/" .. pipe .. "_TFLOP_per_second",
                      value / 1e12, source)
        end
    end
    local copy = result.copy_bytes_per_second
    if copy then
        facts:put(gpu .. "/copy_TB_per_second", copy / 1e12, source)
        facts:put(gpu .. "/ridge", result.fp32_flops_per_second / copy, source)
    end
end

local function measured(facts, path)
    local gpu, name = path:match("([^/]*)/([^/]*)%.json$")
    local source = gpu .. "/" .. name
    local result = json.read(path)
    if not result.provenance then
        error(path .. " does not say when it was measured", 0)
    end
    for key, value in pairs(result.provenance) do
        facts:put("provenance/" .. source .. "/" .. key, value)
    end
    local chapter = name:match("^solution%-(%d+)$")
    if chapter then
        report(facts, gpu, source, chapter, result)
    elseif name:match("^peers%-") then
        peers(facts, gpu, source, result)
    elseif name:match("^training") then
        require("training").put(facts, gpu, source, result)
    else
        plain(facts, gpu, source, result)
    end
end

local function each_result(results)
    local pipe = io.popen("ls '" .. results .. "'/*/*.json 2>/dev/null")
    local text = pipe:read("a")
    pipe:close()
    if text == "" then error("no " .. results .. "/*/*.json", 0) end
    return text:gmatch("[^\n]+")
end

function M.main(results)
    local facts = M.new()
    counted(facts, "ncu", "tests/hardware/h200.csv")
    counted(facts, "timed", "tests/hardware/traffic-h200.csv")
    counted(facts, "busy", "tests/hardware/busy-h200.csv")
    rates(facts)
    for _, name in ipairs {"predicted", "predicted-changes",
                           "predicted-rates"} do
        plain_rows(facts, "book/" .. name .. ".tsv")
    end
    for path in each_result(results or "book/results") do
        measured(facts, path)
    end
    study(facts)
    if not results then
        for _, name in ipairs {"sweep", "sweep-bf16"} do
            require("sweep").put(facts, "chapters/23-shape-map/" .. name ..
                                 ".tsv", name)
        end
        require("depthwise").put(facts)
    end
    occupancy(facts)
    require("provenance").summarise(facts)
    require("derive").derive(facts)
    facts:print()
end

return M
