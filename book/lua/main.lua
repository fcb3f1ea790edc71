-- SPDX-License-Identifier: MIT
-- main.lua: what book/lua.sh runs: the filter that calls a tool's `main` with
-- the words of the command line. A tool fails by error("what is wrong", 0).

PANDOC_VERSION:must_be_at_least("2.17")

package.path = PANDOC_SCRIPT_FILE:gsub("[^/]*$", "") .. "?.lua;" .. package.path

local function words(value)
    local list = {}
    if pandoc.utils.type(value) ~= "List" then value = {value} end
    for _, word in ipairs(value) do
        list[#list + 1] = pandoc.utils.stringify(word)
    end
    return list
end

function Meta(meta)
    local name = pandoc.utils.stringify(meta.tool)
    local ok, wrong = pcall(function()
        require(name).main(table.unpack(words(meta.arg)))
    end)
    io.stdout:flush()
    if not ok then
        io.stderr:write(name, ": ", tostring(wrong), "\n")
        os.exit(1)
    end
end
