-- SPDX-License-Identifier: MIT
-- search.lua: the index that search reads, from sections.tsv: one array, an
-- element a section: [page, anchor, title of the page, heading, text].

local json = require "json"

local M = {}

function M.main(path)
    local title
    print("window.bookIndex = [")
    for line in io.lines(path) do
        local page, anchor, level, heading, text = line:match(
            "^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t?([^\t]*)")
        if level == "1" then title = heading end
        if tonumber(level) < 9 then -- no `</script>` inside a script
            print((json.encode({page, anchor, title, heading,
                                text}):gsub("<", "\\u003c")) .. ",")
        end
    end
    print("];")
end

return M
