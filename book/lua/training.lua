-- SPDX-License-Identifier: MIT
-- training.lua: what chapter 24's models take, from `make train MODEL=study`
-- (RESULTS/GPU/training*.json), as facts and as tables:
--
--   put(facts, gpu, source, result)   GPU/train/...
--       epoch/NN/plain, graph     ms per step with that chapter's convolution
--       share/OPERATION/NN        ms per step of an operation
--       cnn/B/apart, fused        ms per step; -graph, -bytes
--       accuracy/SEED/apart, fused
--       peer/s4, B/HOW            ms per step; HOW-bytes
--   tables   epochs, shares, floors, steps, images, seeds
--
-- The hard idea: what a step must move at least follows from what its
-- operations read and write; ARRAYS says how many arrays of (B, H, L).

local provenance = require "provenance"

local M = {}
local GPU = provenance.book_gpu
local AT = GPU .. "/train/"
local CONVS = {"04", "05", "06", "07", "08", "09"}
local STUDY = {["04"] = "naive", ["05"] = "coalesced", ["06"] = "shared",
               ["07"] = "warp-tiled"}
local BATCHES = {1, 2, 4, 8, 16, 32, 64, 128, 256}
local SEEDS = 5
local EPOCH = 27 -- steps, as common/train/study.sh has it
local TIMED = 2  -- steps of a run with a time per operation
local BLOCKS, ARRAY_BYTES = 4, 16384 * 128 * 48 * 4

-- Arrays that an operation reads or writes, each once, and how often it runs
-- in a step. (loss is read_out with its gradient, swish_rms Swish with the norm
-- of the block that follows; older results have those alone.)
local ARRAYS = {
    {"dwconv_forward", 2, BLOCKS}, {"dwconv_input_grad", 2, BLOCKS},
    {"dwconv_weight_grad", 2, BLOCKS}, {"rms", 2, BLOCKS},
    {"swish", 3, BLOCKS}, {"swish_rms", 4, BLOCKS - 1},
    {"swish_backward", 3, BLOCKS},
    {"rms_backward", 4, BLOCKS}, {"lift", 1, 1}, {"loss", 2, 1},
    {"read_out", 1, 1}, {"read_out_grad", 2, 1}, {"lift_grad", 1, 1},
}

-- Facts ----------------------------------------------------------------------

local function setting(run, name)
    return run.settings:match("%f[%w]" .. name .. "=(%d+)")
end

local function put_peer(put, run)
    local model = run.settings:match("^s4") or setting(run, "B")
    local at = "peer/" .. model .. "/" .. run.peer:gsub(" ", "-")

    put(at, run.ms_per_step)
    put(at .. "-bytes", run.bytes)
    put("peer/torch", run.torch)
end

local put_run = {
    epoch = function(put, run)
        put("epoch/0" .. setting(run, "conv") .. "/" ..
            (setting(run, "graph") == "1" and "graph" or "plain"),
            run.ms_per_step)
        put("epoch/bytes/0" .. setting(run, "conv"), run.bytes)
    end,
    shares = function(put, run)
        for name, ms in pairs(run.operations_ms) do
            put("share/" .. name .. "/0" .. setting(run, "conv"), ms / TIMED)
        end
    end,
    batch = function(put, run)
        local at = "cnn/" .. setting(run, "B") .. "/" ..
            (setting(run, "apart") == "1" and "apart" or "fused")
        if setting(run, "graph") == "1" then
            put(at .. "-graph", run.ms_per_step)
        else
            put(at, run.ms_per_step)
            put(at .. "-bytes", run.bytes)
        end
    end,
    seeds = function(put, run)
        put("accuracy/" .. setting(run, "seed") .. "/" ..
            (setting(run, "apart") == "1" and "apart" or "fused"),
            run.accuracy)
    end,
    peer = function(put, run) if run.settings then put_peer(put, run) end end,
}

function M.put(facts, gpu, source, result)
    for _, run in ipairs(result.runs) do
        local into = put_run[run.run]
        if into then
            into(function(key, value)
                facts:put(gpu .. "/train/" .. key, value, source)
            end, run)
        end
    end
end

-- Tables ---------------------------------------------------------------------

local function number(value, format)
    return value and string.format(format, value) or "–"
end

-- An epoch of the study's and of ours, with each convolution.
function M.epochs(t)
    t:head({"study", "ours", "study's epoch, s", "times naive",
            "our step, ms", "as a graph", "our epoch, s", "times 04",
            "times 05"}, "llrrrrrrr")
    local first, second = t:use(AT .. "epoch/04/graph"),
        t:use(AT .. "epoch/05/graph")
    local naive = t.facts:number("study/naive/epoch_s")
    for _, conv in ipairs(CONVS) do
        local theirs = STUDY[conv] and
            t.facts:number("study/" .. STUDY[conv] .. "/epoch_s")
        local ours = t:use(AT .. "epoch/" .. conv .. "/graph")
        t:row {STUDY[conv] or "–", conv, number(theirs, "%.2f"),
               number(theirs and naive / theirs, "%.2f"),
               t:ms(AT .. "epoch/" .. conv .. "/plain"),
               t:ms(AT .. "epoch/" .. conv .. "/graph"),
               number(ours and ours * EPOCH / 1000, "%.2f"),
               number(ours and first / ours, "%.2f"),
               number(ours and second / ours, "%.2f")}
    end
end

-- Where a step's time goes, in percent of the sum of its operations.
function M.shares(t)
    local groups = {
        {"forward", {"dwconv_forward"}}, {"input grad", {"dwconv_input_grad"}},
        {"weight grad", {"dwconv_weight_grad"}},
        {"norm", {"rms", "rms_backward"}},
        {"Swish", {"swish", "swish_rms", "swish_backward"}},
        {"the rest", {"lift", "lift_grad", "loss", "read_out", "read_out_grad",
                      "adam", "tick", "batch"}},
    }
    local cells = {"convolution"}
    for _, group in ipairs(groups) do cells[#cells + 1] = group[1] .. ", %" end
    t:head(cells, "l" .. ("r"):rep(#groups))
    for _, conv in ipairs(CONVS) do
        local part, sum, row = {}, 0, {conv}
        for i, group in ipairs(groups) do
            part[i] = 0
            for _, name in ipairs(group[2]) do
                local ms = t:use(AT .. "share/" .. name .. "/" .. conv)
                part[i] = part[i] + (ms or 0)
            end
            sum = sum + part[i]
        end
        for i = 1, #groups do
            row[#row + 1] = number(sum > 0 and 100 * part[i] / sum or nil,
                                   "%.1f")
        end
        t:row(row)
    end
end

-- Each operation against the time that its arrays take at a copy's rate.
function M.floors(t)
    local rate = t:use(GPU .. "/copy_bytes_per_second")
    local joined = t:use(AT .. "share/swish_rms/09")
    local ours, least = 0, 0
    t:head({"operation", "times per step", "arrays", "ms per step",
            "floor, ms", "times its floor"}, "lrrrrr")
    for _, row in ipairs(ARRAYS) do
        local name, arrays, times = table.unpack(row)
        if joined and (name == "rms" or name == "swish") then
            times = 1
        end
        local ms = t:use(AT .. "share/" .. name .. "/09")
        local floor = arrays * times * ARRAY_BYTES / rate * 1000
        if ms then
            ours, least = ours + ms, least + floor
            t:row {"`" .. name .. "`", tostring(times), tostring(arrays),
                   number(ms, "%.2f"), number(floor, "%.2f"),
                   number(ms / floor, "%.2f")}
        end
    end
    t:row {"all of these", "", "", number(ours, "%.2f"),
           number(least, "%.2f"), number(ours / least, "%.2f")}
end

local HOWS = {{"eager", "PyTorch, eager"},
              {"eager-graph", "the same as a graph"},
              {"compiled", "torch.compile"},
              {"compiled-graph", "the same as a graph"},
              {"triton", "blocks in Triton", optional = true},
              {"triton-graph", "the same as a graph", optional = true}}

-- The sequence model's step beside PyTorch's.
function M.steps(t)
    local ours = t:use(AT .. "epoch/09/graph")
    t:head({"step of the sequence model", "ms", "times ours", "GB at most"},
           "lrrr")
    t:row {"ours, as a graph", t:ms(AT .. "epoch/09/graph"), "1.00",
           number(t:use(AT .. "epoch/bytes/09") / 1e9, "%.1f")}
    for _, how in ipairs(HOWS) do
        local ms = t:use(AT .. "peer/s4/" .. how[1])
        local bytes = t:use(AT .. "peer/s4/" .. how[1] .. "-bytes")
        if ms or not how.optional then
            t:row {how[2], t:ms(AT .. "peer/s4/" .. how[1]),
                   number(ms and ms / ours, "%.2f"),
                   number(bytes and bytes / 1e9, "%.1f")}
        end
    end
end

-- The image model by batch.
function M.images(t)
    t:head({"batch", "apart, ms", "as a graph", "fused", "as a graph",
            "images per s", "MB at most", "torch.compile, ms", "as a graph"},
           "rrrrrrrrr")
    for _, batch in ipairs(BATCHES) do
        local at = AT .. "cnn/" .. batch .. "/"
        local peer = AT .. "peer/" .. batch .. "/"
        local best = t:use(at .. "fused-graph")
        local bytes = t:use(at .. "fused-bytes")
        t:row {tostring(batch), t:ms(at .. "apart"), t:ms(at .. "apart-graph"),
               t:ms(at .. "fused"), t:ms(at .. "fused-graph"),
               number(best and batch / best * 1000, "%.0f"),
               number(bytes and bytes / 1e6, "%.1f"),
               t:ms(peer .. "compiled"), t:ms(peer .. "compiled-graph")}
    end
end

-- Accuracies after ten times through the images, by seed.
function M.seeds(t)
    local sums = {apart = 0, fused = 0}
    t:head({"seed", "apart, %", "fused, %", "difference"}, "rrrr")
    for seed = 1, SEEDS do
        local at = AT .. "accuracy/" .. seed .. "/"
        local apart, fused = t:use(at .. "apart"), t:use(at .. "fused")
        sums.apart, sums.fused = sums.apart + apart, sums.fused + fused
        t:row {tostring(seed), number(100 * apart, "%.2f"),
               number(100 * fused, "%.2f"),
               number(100 * (fused - apart), "%+.2f")}
    end
    t:row {"mean", number(100 * sums.apart / SEEDS, "%.2f"),
           number(100 * sums.fused / SEEDS, "%.2f"),
           number(100 * (sums.fused - sums.apart) / SEEDS, "%+.2f")}
end

return M
