-- SPDX-License-Identifier: MIT
-- The filter of the joined book, for paper and for a reader alike: the answers
-- that paper.lua took out of the lessons become the last chapter.

function Pandoc(doc)
    local out, answers = pandoc.List(), pandoc.List()
    for _, block in ipairs(doc.blocks) do
        if block.t == "Div" and block.classes:includes("answers") then
            answers:extend(block.content)
        else
            out:insert(block)
        end
    end
    if #answers > 0 then
        out:insert(pandoc.Header(1, { pandoc.Str("Answers") },
            { id = "answers" }))
        out:extend(answers)
    end
    doc.blocks = out
    return doc
end
