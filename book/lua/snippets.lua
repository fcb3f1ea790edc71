-- SPDX-License-Identifier: MIT
-- snippets.lua: what a page takes from elsewhere (markers: see CONTRIBUTING.md,
-- "Write a page of the book").
--
--   main("write", FACTS, PAGE...)   rewrites the pages that changed, names them
--   main("check", FACTS, PAGE...)   silence, or what drifted: PAGE:LINE: what
--                                   to do
--
-- Both fail where a marker cannot be resolved. Paths of code are relative to
-- the working folder, the workbook's root.
--
-- The hard idea: a page is rewritten in memory whatever the mode; `check` then
-- compares line by line, so that nothing can be checked that is not written.

local facts_module = require "facts"
local tables = require "tables"
local plots = require "plots"

local M = {}

local Page = {}
Page.__index = Page

function Page:wrong(text)
    io.stderr:write(self.name, ":", self.number, ": ", text, "\n")
    self.failed = true
end

-- A line of the page as it should be. `has` is the line that stands there, of
-- which `where` decides; nil where there is none.
function Page:put(wants, has, where)
    table.insert(self.out, wants)
    if self.check and has ~= wants and not self.block_wrong then
        self:wrong("`" .. (has or "") .. "`, but " .. where .. " says `" ..
                   wants .. "`: make snippets")
        self.block_wrong = true
    end
end

function Page:next()
    self.number = self.number + 1
    return self.source[self.number]
end

-- Results --------------------------------------------------------------------

local function commas(text)
    local grouped = text:reverse():gsub("(%d%d%d)", "%1,"):reverse()
    return (grouped:gsub("^,", ""))
end

-- nil: no such format
local function format(value, how)
    local number = tonumber(value)
    if how == "%s" or not how and not number then return value end
    if not number then return nil end
    if not how and number == math.floor(number) then
        return string.format("%.0f", number)
    end
    if not how then return string.format("%.3g", number) end
    if how == "," then return commas(string.format("%.0f", number)) end
    if how:match("^%%%.?%d*[fge]$") then return string.format(how, number) end
end

function Page:result(marker, shown, closing)
    local key, how = marker:match("^<!%-%- result: (%S+) ?(%S*) %-%->$")
    local value = key and self.facts.value[key]
    if not value then
        local counted = key and key:match("^sim/(%d%d)/")
        self:wrong("no result `" .. tostring(key) .. "`; " ..
                   (counted and "sh tests/chapters/run.sh record " .. counted ..
                    " counts for a new chapter, and " or "") ..
                   "sh book/lua.sh facts lists all")
        return
    end
    local text = format(value, how ~= "" and how or nil)
    if not text then
        self:wrong("`" .. how .. "` is no format: use ,, %s or one like %.2f")
    elseif self.check and shown ~= text then
        self:wrong("`" .. shown .. "`, but " .. key .. " says `" .. text ..
                   "`: make snippets")
    end
    return marker .. (text or shown) .. closing
end

function Page:results(line)
    local closing = "<!-- /result -->"
    local done, at = {}, 1
    while true do
        local from, to = line:find("<!%-%- result:[^>]*%-%->", at)
        if not from then break end
        local stop = line:find(closing, to, true)
        if not stop then
            self:wrong("`" .. line:sub(from, to) .. "` has no " .. closing ..
                       " on its line")
            break
        end
        done[#done + 1] = line:sub(at, from - 1)
        done[#done + 1] = self:result(line:sub(from, to),
                                      line:sub(to + 1, stop - 1), closing)
        at = stop + #closing
    end
    done[#done + 1] = line:sub(at)
    table.insert(self.out, table.concat(done))
end

-- Code -----------------------------------------------------------------------

-- The lines of a file from the first that matches `start` to the next that
-- matches `stop` (Lua's patterns), and the first one's number; or nil and why
-- not.
local function cut(path, start, stop)
    local file = io.open(path)
    if not file then return nil, "no file " .. path end
    local lines, first, number = {}, nil, 0
    for line in file:lines() do
        number = number + 1
        if not first and line:find(start) then
            first = number
        elseif first and line:find(stop) then
            lines[#lines + 1] = line
            return lines, first
        end
        if first then lines[#lines + 1] = line end
    end
    local what = first and " after that" or ""
    return nil, "no line of " .. path .. what .. " matches /" ..
        (first and stop or start) .. "/"
end

-- The marker, and the block of code below it.
function Page:code(line)
    table.insert(self.out, line)
    local path, start, stop =
        line:match("^<!%-%- code: *(%S+) /(.*)/ /(.*)/ *%-%->$")
    if not path then
        self:wrong("a marker of code is PATH /START/ /END/")
        return
    end
    local lines, first = cut(path, start, stop)
    if not lines then self:wrong(first) end
    local fence = self:next()
    if not fence or not fence:match("^```") then
        self:wrong("the marker of code above has no block below it")
        self.number = self.number - 1
        return
    end
    table.insert(self.out, fence)
    self:fenced(lines, path, first)
end

-- What stands up to the closing fence, against `lines` (nil: as it is).
function Page:fenced(lines, path, first)
    local at = 0
    self.block_wrong = false
    for line in function() return self:next() end do
        if line:match("^```") then
            for i = at + 1, lines and #lines or 0 do
                self:put(lines[i], nil, path .. ":" .. first + i - 1)
            end
            table.insert(self.out, line)
            return
        end
        at = at + 1
        if not lines then
            table.insert(self.out, line)
        elseif lines[at] then
            self:put(lines[at], line, path .. ":" .. first + at - 1)
        elseif self.check and not self.block_wrong then
            self:wrong("more lines than " .. path .. " has: make snippets")
            self.block_wrong = true
        end
    end
    self:wrong("a block of code is not closed")
end

-- Tables and figures ---------------------------------------------------------

-- What stands between the marker and `<!-- /table -->`; @/ in it is the
-- workbook's root.
function Page:generated(line)
    local kind, name = line:match("^<!%-%- (%l+): ([%w-]+) %-%->$")
    local closing = kind and "<!-- /" .. kind .. " -->"
    local root = self.name:gsub("[^/]+/", "../"):gsub("[^/]*$", "")
    local maker = kind == "table" and tables.lines or plots.words
    table.insert(self.out, line)
    local ok, lines = pcall(maker, name, self.facts)
    if not kind or not ok then
        self:wrong(ok and "not understood: " .. line or lines)
        return
    end
    local at = 0
    self.block_wrong = false
    for has in function() return self:next() end do
        if has == closing then
            for i = at + 1, #lines do self:put((lines[i]:gsub("@/", root)),
                                               nil, name) end
            table.insert(self.out, closing)
            return
        end
        at = at + 1
        if lines[at] then
            self:put((lines[at]:gsub("@/", root)), has, name)
        elseif self.check and not self.block_wrong then
            self:wrong("`" .. has .. "`, but " .. name .. " says `" ..
                       "`: make snippets")
            self.block_wrong = true
        end
    end
    self:wrong("no " .. closing .. " ends this block")
end

-- A page -----------------------------------------------------------------------

local function read_lines(path)
    local lines = {}
    for line in io.lines(path) do lines[#lines + 1] = line end
    return lines
end

local function run(name, facts, check)
    local page = setmetatable({name = name, facts = facts, check = check,
                               number = 0, out = {}, source = read_lines(name)},
                              Page)
    for line in function() return page:next() end do
        if line:match("^<!%-%- table: ") or line:match("^<!%-%- figure: ") then
            page:generated(line)
        elseif line:match("^<!%-%- code:") then
            page:code(line)
        elseif line:match("<!%-%- *code:") then
            page:wrong("a marker of code stands on a line of its own")
        elseif line:match("^```") then
            table.insert(page.out, line)
            page:fenced(nil)
        else
            page:results(line)
        end
    end
    return page
end

local function write(page)
    if table.concat(page.out, "\n") == table.concat(page.source, "\n") then
        return
    end
    local file = io.open(page.name, "w")
    if not file then error("cannot write " .. page.name, 0) end
    file:write(table.concat(page.out, "\n"), "\n")
    file:close()
    print("rewrote " .. page.name)
end

function M.main(mode, path, ...)
    local facts = facts_module.load(path)
    local failed = false
    for _, name in ipairs {...} do
        local page = run(name, facts, mode == "check")
        if mode == "write" and not page.failed then write(page) end
        failed = failed or page.failed
    end
    if failed then error("pages do not hold, see above", 0) end
end

return M
