-- SPDX-License-Identifier: MIT
-- A pandoc filter that prints the metadata as `path<TAB>value` lines:
-- pandoc is the JSON reader that the book's build has anyway. Elements of an
-- array go by their `name`, or by their position from 1.

PANDOC_VERSION:must_be_at_least("2.17")

local function text(value)
    if type(value) == "boolean" then return tostring(value) end
    return pandoc.utils.stringify(value)
end

local function is_text(value)
    local kind = pandoc.utils.type(value)
    return kind ~= "table" and kind ~= "List"
end

local function walk(path, value)
    if is_text(value) then
        io.write(path, "\t", (text(value):gsub("%s+", " ")), "\n")
        return
    end
    for key, inner in pairs(value) do
        local name = type(key) == "number" and not is_text(inner)
            and inner.name and text(inner.name) or key
        walk(path .. "/" .. name, inner)
    end
end

function Meta(meta)
    for key, value in pairs(meta) do walk(key, value) end
end
