-- SPDX-License-Identifier: MIT
-- here.lua: "you are here", of each chapter: its place on the road of all
-- chapters, on its ladder (time per stage), and under the ceilings.
--
--   main(FACTS)   a line `NUMBER HTML` per chapter, separated by a tab; html.lua
--                 puts it below the page's first paragraph
--
-- A chapter's ladder is the chapters that chapter.conf joins: those with the same
-- `ladder`, or those that follow each other by `previous`. Of it are shown the
-- stages of one kernel that were measured with as many operations as this
-- chapter's, so that their times can be compared.
--
-- The hard idea: a page's colours are known in the reader's browser alone, so
-- the pictures stand in the page, and the theme's CSS colours their classes.

local facts_module = require "facts"
local workbook = require "workbook"
local provenance = require "provenance"

local M = {}
local GPU = provenance.book_gpu
local WIDTH, HEIGHT = 336, 168 -- of a picture; a narrow page shows it as wide

local function number(facts, chapter, kernel, what)
    return facts:number(table.concat({GPU, chapter.number, kernel, what}, "/"))
end

-- The road ---------------------------------------------------------------------

-- All chapters' numbers in order; `there` says which exist.
local function road()
    local there, list = {}, {}
    for _, chapter in ipairs(workbook.chapters) do
        there[chapter.number] = true
        list[#list + 1] = chapter.number
    end
    for line in io.lines("book/road.tsv") do
        local other = line:match("^(%d+)\t")
        if other and not there[other] then list[#list + 1] = other end
    end
    table.sort(list)
    return list, there
end

local function road_svg(here, ladder)
    local list, there = road()
    local step, side, cells, on = WIDTH / #list, 10, {}, {}
    for _, chapter in ipairs(ladder) do on[chapter.number] = true end
    for i, other in ipairs(list) do
        local kind = other == here.number and "now" or on[other] and "near" or
            there[other] and "there" or "later"
        cells[i] = string.format('<rect class="%s" x="%.1f" y="2" width="%d" ' ..
            'height="%d" rx="2"/>', kind, (i - 1) * step + 2, side, side)
    end
    return string.format('<svg class="road" viewBox="0 0 %d 14" role="img" ' ..
        'aria-label="Chapter %s of %d">%s</svg>', WIDTH, here.number, #list,
        table.concat(cells)), #list
end

-- The ladder -------------------------------------------------------------------

local function joined(here)
    if here.ladder then return workbook.ladders[here.ladder].chapters end
    local by, list = {}, {}
    for _, chapter in ipairs(workbook.chapters) do by[chapter.number] = chapter end
    local function root(chapter)
        local before = by[chapter.previous or ""]
        return before and root(before) or chapter
    end
    for _, chapter in ipairs(workbook.chapters) do
        if root(chapter) == root(here) then list[#list + 1] = chapter end
    end
    return list
end

-- What the chapter has to show beside `kernel`: that of its name if it did as
-- many operations, else its fastest that did, on the same operator.
local function stage_of(chapter, kernel, flops, facts)
    local best
    for _, other in ipairs(chapter.kernels) do
        local ms = number(facts, chapter, other.name, "time_ms")
        if ms and number(facts, chapter, other.name, "flops") == flops and
            other.op == kernel.op then
            local stage = {chapter = chapter, ms = ms, name = other.name,
                x = number(facts, chapter, other.name, "intensity"),
                y = flops / ms / 1e9} -- operations per byte; TFLOP/s
            if other.name == kernel.name then return stage end
            if not best or ms < best.ms then best = stage end
        end
    end
    return best
end

local function stages(here, kernel, ladder, facts)
    local flops, list = number(facts, here, kernel.name, "flops"), {}
    for _, chapter in ipairs(ladder) do
        list[#list + 1] = flops and stage_of(chapter, kernel, flops, facts)
    end
    return list
end

-- The kernel that is compared with others of the ladder: the first last step
-- that can be, else the last of the earlier steps (the last ones may have been
-- timed at other sizes).
local function comparable(here, ladder, facts)
    local tries = workbook.last_steps(here)
    for i = #here.kernels, 1, -1 do tries[#tries + 1] = here.kernels[i] end
    for _, kernel in ipairs(tries) do
        local list = stages(here, kernel, ladder, facts)
        if #list > 1 then return kernel, list end
    end
end

local function text(x, y, class, anchor, words)
    return string.format('<text class="%s" x="%.1f" y="%.1f" ' ..
        'text-anchor="%s">%s</text>', class, x, y, anchor, words)
end

local function picture(parts, words)
    return string.format('<svg viewBox="0 0 %d %d" role="img" aria-label="%s">' ..
        '%s</svg>', WIDTH, HEIGHT, words, table.concat(parts))
end

local function kind_of(stage, here)
    return stage.chapter == here and "now" or "near"
end

-- A bar per stage, as high as the logarithm of its time.
local function ladder_svg(here, kernel, list)
    local low, high, parts, words = math.huge, 0, {}, {}
    for _, stage in ipairs(list) do
        low, high = math.min(low, stage.ms), math.max(high, stage.ms)
    end
    local step, top, foot = WIDTH / #list, 38, HEIGHT - 18
    local scale = (foot - top - 14) / math.max(math.log(high / low), 0.01)
    for i, stage in ipairs(list) do
        local kind, middle = kind_of(stage, here), (i - 0.5) * step
        local tall = 14 + scale * math.log(stage.ms / low)
        parts[#parts + 1] = string.format('<rect class="%s" x="%.1f" y="%.1f" ' ..
            'width="%.1f" height="%.1f" rx="2"/>', kind, middle - step * 0.36,
            foot - tall, step * 0.72, tall)
        parts[#parts + 1] = text(middle, foot - tall - 4, kind, "middle",
                                 string.format("%.3g", stage.ms))
        parts[#parts + 1] = text(middle, HEIGHT - 4, kind, "middle",
                                 stage.chapter.number)
        words[i] = string.format("%s: %.3g", stage.chapter.number, stage.ms)
    end
    local title = kernel.label .. ", ms per launch, log scale"
    parts[#parts + 1] = text(2, 14, "title", "start", title)
    return picture(parts, title .. ", by chapter: " .. table.concat(words, ", "))
end

-- The roofline -----------------------------------------------------------------

-- Where there is no ladder: what the chapter's last steps reached. A copy does
-- no operations and has no place here.
local function own(here, facts)
    local list = {}
    for _, kernel in ipairs(workbook.last_steps(here)) do
        local ms = number(facts, here, kernel.name, "time_ms")
        local flops = number(facts, here, kernel.name, "flops") or 0
        if ms and flops > 0 then
            list[#list + 1] = {chapter = here, ms = ms, name = kernel.name,
                x = number(facts, here, kernel.name, "intensity"),
                y = flops / ms / 1e9}
        end
    end
    return list
end

local function roofs_of(list, facts)
    local known, roofs = {}, {}
    for _, stage in ipairs(list) do
        local pipe = facts.value[table.concat({GPU, stage.chapter.number,
            stage.name, "pipe"}, "/")] or "fp32"
        if not known[pipe] then
            known[pipe] = true
            roofs[#roofs + 1] = facts:number(GPU .. "/" .. pipe ..
                "_TFLOP_per_second") and {name = pipe:gsub("_", " "),
                peak = facts:number(GPU .. "/" .. pipe .. "_TFLOP_per_second")}
        end
    end
    table.sort(roofs, function(a, b) return a.peak > b.peak end)
    return roofs
end

local function roofline_svg(here, list, facts)
    local bandwidth = facts:number(GPU .. "/copy_TB_per_second")
    local roofs = roofs_of(list, facts)
    local left, right, low, high = 0.5, 60, 1, 62
    for _, roof in ipairs(roofs) do
        right = math.max(right, 4 * roof.peak / bandwidth)
        high = math.max(high, roof.peak * 1.6)
    end
    for _, stage in ipairs(list) do
        high = math.max(high, stage.y * 1.6)
        left, right = math.min(left, stage.x / 2), math.max(right, stage.x * 2)
        low = math.min(low, stage.y / 2)
    end
    local function across(x)
        return 4 + (WIDTH - 8) * math.log(x / left) / math.log(right / left)
    end
    local function down(y)
        return HEIGHT - 20 -
            (HEIGHT - 40) * math.log(y / low) / math.log(high / low)
    end
    local from = math.max(left, low / bandwidth)
    local top = 0 -- the slope ends at the highest roof, or goes on to a stage
    for _, one in ipairs(list) do top = math.max(top, one.y) end
    for _, one in ipairs(roofs) do top = math.max(top, one.peak) end
    local parts, words = {string.format('<path class="roof" d="M%.1f %.1fL%.1f ' ..
        '%.1f"/>', across(from), down(bandwidth * from),
        across(top / bandwidth), down(top))}, {}
    -- A stage that reaches the end of a roof is where its name would be.
    local function taken(roof)
        for _, stage in ipairs(list) do
            if across(stage.x) > WIDTH * 0.65 and
                math.abs(down(stage.y) - down(roof.peak)) < 16 then
                return true
            end
        end
    end
    for _, roof in ipairs(roofs) do
        parts[#parts + 1] = string.format('<path class="roof" d="M%.1f %.1fH%d"/>',
            across(roof.peak / bandwidth), down(roof.peak), WIDTH - 4)
        local words = string.format("%s %.0f TFLOP/s", roof.name, roof.peak)
        if taken(roof) then
            parts[#parts + 1] = text(across(roof.peak / bandwidth) + 2,
                down(roof.peak) - 5, "there", "start", words)
        else
            parts[#parts + 1] = text(WIDTH - 4, down(roof.peak) - 5, "there",
                "end", words)
        end
    end
    local last
    for _, near in ipairs {true, false} do -- this chapter's above the others
        for _, stage in ipairs(list) do
            local kind = kind_of(stage, here)
            if (kind == "near") == near then
                parts[#parts + 1] = string.format('<circle class="%s" ' ..
                    'cx="%.1f" cy="%.1f" r="%d"/>', kind, across(stage.x),
                    down(stage.y), near and 4 or 6)
                if not near then last = stage end
                words[#words + 1] = string.format("%s: %.3g",
                    stage.chapter.number, stage.y)
            end
        end
    end
    local right_half = across(last.x) > WIDTH * 0.7
    local close = last.y > 0.4 * math.min(top, bandwidth * last.x) -- to a line
    local words_here = string.format("%s: %.3g", here.number, last.y)
    if close then -- below its point
        parts[#parts + 1] = text(math.min(math.max(across(last.x), 32),
            WIDTH - 32), down(last.y) + 20, "now", "middle", words_here)
    else -- beside it
        parts[#parts + 1] = text(across(last.x) + (right_half and -10 or 10),
            down(last.y) + 4, "now", right_half and "end" or "start", words_here)
    end
    parts[#parts + 1] = text(2, 14, "title", "start", "TFLOP/s")
    parts[#parts + 1] = text(WIDTH - 4, HEIGHT - 4, "title", "end",
                             "operations per byte")
    return picture(parts, "TFLOP/s under the two ceilings, by chapter: " ..
                   table.concat(words, ", "))
end

-- --------------------------------------------------------------------------------

local function block(here, facts)
    local ladder = joined(here)
    local kernel, list = comparable(here, ladder, facts)
    local strip, count = road_svg(here, ladder)
    local out = {}
    if kernel then
        out[#out + 1] = ladder_svg(here, kernel, list)
    else
        list = own(here, facts)
    end
    if #list > 0 then out[#out + 1] = roofline_svg(here, list, facts) end
    return string.format('<figure class="here"><figcaption>You are here: ' ..
        'chapter %s of %d%s</figcaption>%s<div>%s</div></figure>', here.number,
        count, #out > 0 and ", measured on an " ..
        facts.value[GPU .. "/gpu"] or "", strip, table.concat(out))
end

function M.main(path)
    local facts = facts_module.load(path)
    for _, chapter in ipairs(workbook.chapters) do
        print(chapter.number .. "\t" .. block(chapter, facts))
    end
end

return M
