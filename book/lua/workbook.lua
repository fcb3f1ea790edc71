-- SPDX-License-Identifier: MIT
-- workbook.lua: what the chapters say of themselves in chapter.conf.
--
--   chapters    in order: {number = "05", title, ladder, study, aims, kernels};
--               a kernel is {name, op, label, previous, time_shape, peer_shapes}
--   ladders     in order: {name, chapters, paths}; also by name
--   last_steps(CHAPTER)   its kernels but for those that are steps to another
--   shapes      peers' shapes in order: {name, shape, paths}; also by name
--
-- A ladder's paths are the kernels of its first chapter, but for those that are
-- steps to another one there; a later chapter is on a path where it has a kernel
-- of that name. Nothing in the book knows a chapter but from here.

local M = {chapters = {}, ladders = {}, shapes = {}}

local function lines()
    local pipe = io.popen(". common/cli/lib.sh; conf_lines chapters/[0-9]*")
    local text = pipe:read("a")
    if not pipe:close() or text == "" then
        error("no chapter.conf could be read", 0)
    end
    return text:gmatch("([^\n\t]*)\t([^\n\t]*)\t([^\n\t]*)\t([^\n]*)\n")
end

local function last_or_new(list, key, value, new)
    local last = list[#list]
    if last and last[key] == value then return last end
    new[key] = value
    list[#list + 1] = new
    return new
end

local function kernel_key(kernel, key, value)
    if key == "peer_shape" then
        local name, shape = value:match("^(%l+): (.*)$")
        table.insert(kernel.peer_shapes, {name = name, shape = shape})
    elseif kernel[key] == nil then
        kernel[key] = value
    end
end

local function read()
    for number, section, key, value in lines() do
        local chapter = last_or_new(M.chapters, "number", number,
                                    {aims = {}, kernels = {}})
        if section ~= "chapter" then
            kernel_key(last_or_new(chapter.kernels, "name", section,
                                   {peer_shapes = {}}), key, value)
        elseif key == "aim" then
            table.insert(chapter.aims, value)
        else
            chapter[key] = value
        end
    end
end

-- "input_grad" is "input grad", unless its chapter has a better label.
local function give_labels()
    local known = {}
    for _, chapter in ipairs(M.chapters) do
        for _, kernel in ipairs(chapter.kernels) do
            local id = (chapter.ladder or chapter.number) .. "/" .. kernel.name
            known[id] = kernel.label or known[id]
            kernel.label = known[id] or kernel.name:gsub("_", " ")
        end
    end
end

-- The kernels that no other one of the chapter names as its previous.
function M.last_steps(chapter)
    local before, list = {}, {}
    for _, kernel in ipairs(chapter.kernels) do
        before[kernel.previous or ""] = true
    end
    for _, kernel in ipairs(chapter.kernels) do
        if not before[kernel.name] then list[#list + 1] = kernel end
    end
    return list
end

local function gather_ladders()
    for _, chapter in ipairs(M.chapters) do
        local name = chapter.ladder
        if name and not M.ladders[name] then
            M.ladders[name] = {name = name, chapters = {},
                               paths = M.last_steps(chapter)}
            table.insert(M.ladders, M.ladders[name])
        end
        if name then table.insert(M.ladders[name].chapters, chapter) end
    end
end

local function gather_shapes()
    for _, chapter in ipairs(M.chapters) do
        for _, kernel in ipairs(chapter.kernels) do
            for _, at in ipairs(kernel.peer_shapes) do
                local known = M.shapes[at.name]
                if not known then
                    known = {name = at.name, shape = at.shape, paths = {}}
                    M.shapes[at.name] = known
                    table.insert(M.shapes, known)
                elseif known.shape ~= at.shape then
                    error("two peer_shapes are called " .. at.name, 0)
                end
                table.insert(known.paths, kernel)
            end
        end
    end
end

read()
give_labels()
gather_ladders()
gather_shapes()

-- The labels of paths as a table's head has room for: "input gradient" is
-- "input", where no other path begins so.
function M.heads(paths)
    local count, heads = {}, {}
    for _, path in ipairs(paths) do
        local first = path.label:match("^%S+")
        count[first] = (count[first] or 0) + 1
    end
    for i, path in ipairs(paths) do
        local first = path.label:match("^%S+")
        heads[i] = count[first] == 1 and first or path.label
    end
    return heads
end

return M
