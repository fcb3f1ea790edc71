-- SPDX-License-Identifier: MIT
-- versus.lua: our kernels and the same ones in another language:
--
--   with_peers(chapter)   its kernels that have peers
--   at(shape, kernel)     where these stand among the facts
--   triton(t)             table: times of Triton and PyTorch over ours
--   triton_lines(t)       table: lines of code of ours and of Triton's
--
-- A line of code is one that is neither blank nor only a comment. Of ours count
-- the kernel's file and the headers of common/op with device code that it
-- includes, each once per chapter; of Triton's what stands from the first
-- @triton.jit to the measuring. A header may hold more than a chapter uses, so
-- these are sizes of files, not of programs.

local workbook = require "workbook"
local provenance = require "provenance"

local M = {}
local GPU = provenance.book_gpu
local OTHERS = {"triton", "compiled", "eager"}

function M.with_peers(chapter)
    local list = {}
    for _, kernel in ipairs(chapter.kernels) do
        if #kernel.peer_shapes > 0 then list[#list + 1] = kernel end
    end
    return list
end

-- Where a kernel's peers stand among the facts.
function M.at(shape, kernel)
    return GPU .. "/peers/" .. shape.name .. "/" .. kernel.name .. "/"
end

local function ratio(t, at, peer)
    local ours, other = t:use(at .. "ours/ms"), t:use(at .. peer .. "/ms")
    return ours and other and string.format("%.2f", other / ours) or "–"
end

function M.triton(t)
    t:head({"chapter", "kernel", "shape", "ours, ms", "Triton",
            "torch.compile", "eager"}, "lllrrrr")
    for _, chapter in ipairs(workbook.chapters) do
        for _, kernel in ipairs(M.with_peers(chapter)) do
            for _, shape in ipairs(kernel.peer_shapes) do
                local at = M.at(shape, kernel)
                if t.facts:number(at .. "triton/ms") and
                    t.facts:number(at .. "ours/ms") then
                    local row = {chapter.number, "`" .. kernel.name .. "`",
                                 shape.shape, t:ms(at .. "ours/ms")}
                    for _, peer in ipairs(OTHERS) do
                        row[#row + 1] = ratio(t, at, peer)
                    end
                    t:row(row)
                end
            end
        end
    end
end

-- Lines of code ---------------------------------------------------------------

local function lines_of(path)
    local file = io.open(path)
    if not file then error("cannot read " .. path, 0) end
    return file:lines()
end

-- Adds a file's lines to `count`, and those of its headers; each once.
local function add_cuda(path, count)
    if count[path] then return end
    local inside, own = false, 0
    count[path] = true
    for line in lines_of(path) do
        local header = line:match('^#include "(op/[%w_]+%.cuh)"')
        if header then add_cuda("common/" .. header, count) end
        if line:match("^/%*") then inside = true end
        if not inside and line:match("%S") and not line:match("^%s*//") then
            own = own + 1
        end
        if line:match("%*/%s*$") then inside = false end
    end
    if path:match("%.cuh$") then
        count.shared = count.shared + own
    else
        count.own = count.own + own
    end
end

local function triton_lines(path)
    local own, kernels, inside, text = 0, 0, false, false
    for line in lines_of(path) do
        if line:match("^@triton.jit") then
            inside, kernels = true, kernels + 1
        elseif line:match("^def wanted") or line:match("^def main") or
            line:match("^def operators") then
            break
        end
        local quotes = select(2, line:gsub('"""', ""))
        if inside and not text and quotes == 0 and line:match("%S") and
            not line:match("^%s*#") then
            own = own + 1
        end
        if quotes == 1 then text = not text end
    end
    return own, kernels
end

-- The program that has this chapter's kernels in Triton, or nil: as peers.sh
-- finds it, by the longest file of common/op that the operator begins with.
local function program_of(kernel)
    local pipe = io.popen("ls common/peers/*/with_triton.py")
    local best
    for path in pipe:lines() do
        local family = path:match("peers/([^/]+)/")
        if (kernel.op == family or
            kernel.op:sub(1, #family + 1) == family .. "_") and
            (not best or #path > #best) then
            best = path
        end
    end
    pipe:close()
    return best
end

-- Lines and kernels of a chapter's programs in Triton, each program once.
local function in_triton(kernels)
    local lines, n, seen = 0, 0, {}
    for _, kernel in ipairs(kernels) do
        local path = program_of(kernel)
        if path and not seen[path] then
            local more, of_them = triton_lines(path)
            seen[path] = true
            lines, n = lines + more, n + of_them
        end
    end
    return lines, n
end

-- To tens where they are many, so that not every edit of a kernel changes a page.
local function about(n)
    if n == 0 then return "–" end
    return n < 100 and n or (n + 5) // 10 * 10
end

function M.triton_lines(t)
    t:head({"chapter", "kernels", "CUDA: their files", "headers they share",
            "Triton: kernels", "lines"}, "lrrrrr")
    for _, chapter in ipairs(workbook.chapters) do
        local kernels = M.with_peers(chapter)
        local lines, n = in_triton(kernels)
        local count = {own = 0, shared = 0}
        if n > 0 then
            local pipe = io.popen("ls -d solutions/" .. chapter.number .. "-*")
            local folder = pipe:read("l")
            pipe:close()
            for _, kernel in ipairs(kernels) do
                add_cuda(folder .. "/" .. kernel.name .. ".cu", count)
            end
            t:row {chapter.number, #kernels, about(count.own),
                   about(count.shared), n, about(lines)}
            t.measured = true
        end
    end
end

return M
