-- SPDX-License-Identifier: MIT
-- Where a lesson runs the simulated GPU. A comment in its Markdown says so:
--
--   <!-- simulator: kernels -->             the chapter's, of book/kernels
--   <!-- simulator: access stride=32 -->    one access; any of space, what,
--                                           width, stride, offset
--
--   simulator.shown(comment, source, fail) -> HTML, or nil
--   simulator.engine   whether the pages have the engine
--   simulator.used     whether this page has a display
--
-- Without scripts, or without the engine, a sentence stands there beside the
-- lesson's pictures.

local simulator = { engine = false, used = false }
local FIELDS = { space = { global = true, shared = true },
    what = { load = true, store = true } }

local function start_of(words, fail)
    local out = {}
    for key, value in words:gmatch("(%w+)=(%w+)") do
        if FIELDS[key] and FIELDS[key][value] then
            out[#out + 1] = string.format('"%s":"%s"', key, value)
        elseif (key == "width" or key == "stride" or key == "offset") and
            tonumber(value) then
            out[#out + 1] = string.format('"%s":%d', key, value)
        else
            fail("simulator: " .. key .. "=" .. value .. " is unknown")
        end
    end
    return "{" .. table.concat(out, ",") .. "}"
end

local function box(attributes, what)
    return "<div class=\"sim\" role=\"group\" " .. attributes ..
        "><p>With JavaScript, you can " .. what .. " here.</p></div>"
end

function simulator.shown(comment, source, fail)
    local kind, words = comment:match("^<!%-%- simulator: (%a+)(.-)%s*%-%->")
    if not kind then return nil end
    local chapter = source:match("^chapters/(%d%d)-")
    local what = kind == "access" and
        "see which bytes a warp's access moves" or
        "run this chapter's kernels, warp by warp,"
    if kind == "kernels" then
        local f = chapter and io.open("book/kernels/" .. chapter .. ".js")
        if not f then fail("simulator: no kernels for this page") end
        f:close()
    elseif kind ~= "access" then
        fail("simulator: " .. kind .. " is unknown")
    end
    local start = start_of(words, fail)
    if not simulator.engine and kind == "access" then return "" end
    if not simulator.engine then
        return "<p class=\"sim-none\">Build the book after <code>make " ..
            "page-engine</code>, and you can run this chapter's kernels " ..
            "here, warp by warp.</p>"
    end
    simulator.used = true
    return kind == "kernels" and box(string.format('aria-label="Kernel runner" '
        .. 'data-sim="kernel" data-chapter="%s"', chapter), what) or
        box(string.format("aria-label=\"Access explorer\" " ..
        "data-sim=\"access\" data-start='%s'", start), what)
end

return simulator
