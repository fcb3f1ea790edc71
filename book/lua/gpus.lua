-- SPDX-License-Identifier: MIT
-- gpus.lua: the GPUs of common/simgpu/gpu.c.
--
--   rows()   a table of the members' texts per GPU: a row of gpu.c
--   main()   those that the page's calculators need, as a script

local json = require "json"

local M = {}

function M.rows()
    local file = assert(io.open("common/simgpu/gpu.c"))
    local text = file:read("a")
    file:close()
    local list = {}
    for row in text:gmatch("{%.key = .-%.source =") do
        local gpu = {}
        for name, value in row:gmatch("%.([%w_]+) = ([^,{]+)") do
            gpu[name] = value:gsub('"', "")
        end
        gpu.peak = {}
        for name, value in row:gmatch("%[GPU_PEAK_([%w_]+)%] = ([%d.e]+)") do
            gpu.peak[name] = tonumber(value)
        end
        gpu.fp32 = row:match("%[GPU_PEAK_fp32%] = ([%d.e]+)")
        list[#list + 1] = gpu
    end
    return list
end

local UNIT = { KIB = 1024, MIB = 1024 ^ 2, GIB = 1024 ^ 3 }

local function number(gpu, name)
    local digits, unit = gpu[name]:match("^([%d.e]+)%s*%*?%s*(%u*)")
    return assert(tonumber(digits), name) * (UNIT[unit] or 1)
end

local MEMBERS = { "max_threads_sm", "max_blocks_sm", "registers_sm",
    "shared_sm", "shared_block_optin", "shared_reserved", "schedulers",
    "cc_major" }

function M.main()
    print("window.bookGpus = [")
    for _, gpu in ipairs(M.rows()) do
        local out = {}
        for _, name in ipairs(MEMBERS) do
            out[#out + 1] = string.format('"%s": %d', name,
                gpu[name] and number(gpu, name) // 1 or 0)
        end
        local peaks = {}
        for _, name in ipairs { "fp32", "tf32_tensor", "bf16_tensor" } do
            if gpu.peak[name] then
                peaks[#peaks + 1] = string.format('"%s": %.17g', name,
                    gpu.peak[name])
            end
        end
        print(string.format('{"name": %s, "bandwidth": %.17g, %s, ' ..
            '"peak": {%s}},', json.encode(gpu.name), number(gpu, "bandwidth"),
            table.concat(out, ", "), table.concat(peaks, ", ")))
    end
    print("];")
end

return M
