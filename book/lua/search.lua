-- SPDX-License-Identifier: MIT
-- search.lua: the index that search reads, from sections.tsv: one array, an
-- element per section: [page, anchor, title of the page, heading, text, terms].

local json = require "json"

local M = {}

function M.main(path)
    local title
    print("window.bookIndex = [")
    for line in io.lines(path) do
        local page, anchor, level, heading, text, terms = line:match(
            "^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t?([^\t]*)\t?([^\t]*)")
        if level == "1" then title = heading end
        if tonumber(level) < 9 then -- no `</script>` inside a script
            print((json.encode({page, anchor, title, heading, text,
                                terms}):gsub("<", "\\u003c")) .. ",")
        end
    end
    print("];")
end

return M
