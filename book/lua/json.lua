-- SPDX-License-Identifier: MIT
-- json.lua: JSON by a library: pandoc's own from version 3.1.1 on, else dkjson.
--
--   read(path)       the value; an error names the file. null is nil.
--   encode(value)    on one line

local M = {}

if pandoc.json then
    local null = pandoc.json.null
    local function without_null(value)
        if type(value) ~= "table" then return value end
        for key, inner in pairs(value) do
            value[key] = inner ~= null and without_null(inner) or nil
        end
        return value
    end
    function M.decode(text)
        return without_null(pandoc.json.decode(text, false))
    end
    M.encode = pandoc.json.encode
else
    local found, dkjson = pcall(require, "dkjson")
    if not found then
        error("pandoc " .. tostring(PANDOC_VERSION) .. " reads no JSON by " ..
              "itself: install lua-dkjson", 0)
    end
    function M.decode(text)
        local value, _, wrong = dkjson.decode(text, 1, nil)
        if wrong then error(wrong, 0) end
        return value
    end
    M.encode = dkjson.encode
end

function M.read(path)
    local file = io.open(path)
    if not file then error("no " .. path, 0) end
    local text = file:read("a")
    file:close()
    local ok, value = pcall(M.decode, text)
    if not ok or type(value) ~= "table" then
        error("cannot read " .. path .. (ok and "" or ": " .. value), 0)
    end
    return value
end

return M
