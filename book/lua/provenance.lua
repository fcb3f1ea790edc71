-- SPDX-License-Identifier: MIT
-- provenance.lua: where, when and at which commit results were measured.
--
--   summarise(facts)           adds GPU/gpu, driver, toolkit, date, commit
--   sentence(facts, sources)   "Measured on an NVIDIA H200 (...)."
--   short(facts, sources)      "an NVIDIA H200, 2026-11-21, commit dbf95c0"
--   main(FACTS)                for the title page: of all that the book quotes
--
-- `sources` is a set of names such as nvidia-h200/solution-07. `make bench`
-- measures parts, so a table may stand on several runs: then each is named with
-- what it measured.

local M = {book_gpu = "nvidia-h200"}

local KEYS = {"gpu", "driver", "toolkit", "date", "commit"}

local function sorted(set)
    local list = {}
    for key in pairs(set) do list[#list + 1] = key end
    table.sort(list)
    return list
end

local function words(list)
    if #list < 3 then return table.concat(list, " and ") end
    return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

-- What the sources say under a key, each once.
local function said(facts, sources, key)
    local set = {}
    for source in pairs(sources) do
        set[facts.value["provenance/" .. source .. "/" .. key]] = true
    end
    return sorted(set)
end

function M.short(facts, sources)
    local dates = said(facts, sources, "date")
    local commits = said(facts, sources, "commit")
    return "an " .. words(said(facts, sources, "gpu")) .. ", " .. dates[1] ..
        (#dates > 1 and " to " .. dates[#dates] or "") ..
        (#commits > 1 and ", at " .. #commits .. " commits" or
         ", commit " .. commits[1])
end

function M.summarise(facts)
    local seen = {}
    for _, key in ipairs(facts:keys()) do
        local gpu, what = key:match("^provenance/([^/]+)/[^/]+/(.+)$")
        if gpu then
            seen[gpu] = seen[gpu] or {}
            seen[gpu][what] = seen[gpu][what] or {}
            seen[gpu][what][facts.value[key]] = true
        end
    end
    for gpu, about in pairs(seen) do
        for _, what in ipairs(KEYS) do
            facts:put(gpu .. "/" .. what, words(sorted(about[what] or {})))
        end
    end
end

-- What a source measured: "chapter 07", "pytorch", "roofs".
local function subject(source)
    local name = source:match("[^/]*$")
    local chapter = name:match("^solution%-(%d+)$")
    return chapter and "chapter " .. chapter or name:gsub("^peers%-", "")
end

local function machine(facts, source)
    local at = "provenance/" .. source .. "/"
    return "an " .. facts.value[at .. "gpu"] .. " (driver " ..
        facts.value[at .. "driver"] .. ", CUDA " ..
        facts.value[at .. "toolkit"] .. ")"
end

local function moment(facts, source)
    local at = "provenance/" .. source .. "/"
    return "on " .. facts.value[at .. "date"] .. " at commit " ..
        facts.value[at .. "commit"]
end

-- The runs that the sources belong to: list of {machine, moment, subjects}.
local function runs_of(facts, sources)
    local runs, machines = {}, {}
    for _, source in ipairs(sorted(sources)) do
        local where, when = machine(facts, source), moment(facts, source)
        local run = runs[where .. when]
        if not run then
            run = {machine = where, moment = when, subjects = {}}
            runs[where .. when] = run
            table.insert(runs, run)
        end
        table.insert(run.subjects, subject(source))
        machines[where] = true
    end
    return runs, #sorted(machines) == 1
end

function M.sentence(facts, sources)
    local runs, one_machine = runs_of(facts, sources)
    if #runs == 0 then return nil end
    if #runs == 1 then
        return "Measured on " .. runs[1].machine .. " " .. runs[1].moment .. "."
    end
    local parts = {}
    for _, run in ipairs(runs) do
        table.insert(parts, words(run.subjects) .. " " ..
                     (one_machine and "" or "on " .. run.machine .. " ") ..
                     run.moment)
    end
    return "Measured in " .. #runs .. " runs" ..
        (one_machine and " on " .. runs[1].machine or "") .. ": " ..
        table.concat(parts, "; ") .. "."
end

function M.main(path)
    local facts = require("facts").load(path)
    local sources = {}
    for _, key in ipairs(facts:keys()) do
        local source = key:match("^provenance/(.+)/date$")
        if source and source:match("^[^/]*") == M.book_gpu then
            sources[source] = true
        end
    end
    print("Times measured on " .. M.short(facts, sources))
end

return M
