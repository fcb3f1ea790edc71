# SPDX-License-Identifier: MIT
# The book on paper and for a reader: $(BUILD)/book/warpbook.pdf and .epub, of
# the same pages as the HTML (book.mk). Each page becomes a document tree of its
# own; one pandoc joins them.

BOOK_TREES    = $(BOOK_NAMES:%=$(BOOK)/paper/%.json)
BOOK_PICTURES = $(wildcard book/pictures/*.svg book/plots/*.svg)
BOOK_JOIN     = pandoc -f json --file-scope --standalone \
                --metadata-file book/pdf.yaml --toc \
                --lua-filter book/answers.lua

# What the title page says of the numbers in the book.
BOOK_EDITION  = sh book/lua.sh provenance $(BOOK)/facts.tsv

book-pdf: $(BOOK)/warpbook.pdf
	@echo "open $<"
book-epub: $(BOOK)/warpbook.epub
	@echo "open $<"

$(BOOK)/paper/%.json: $(BOOK)/outline.tsv $(BOOK)/pages.tsv book/paper.lua \
                      book/book.lua book/numbers.lua | $(BOOK)/checked
	@mkdir -p $(@D)
	@$(say)
	pandoc -f markdown -t json --lua-filter book/paper.lua \
	    -M source=$(SOURCE) -M pages=$(BOOK)/pages.tsv \
	    -M outline=$(BOOK)/outline.tsv -o $@ $(SOURCE)
$(foreach p,$(BOOK_LIST),$(eval $(BOOK)/paper/$(lastword \
    $(subst :, ,$p)).json: SOURCE = $(firstword $(subst :, ,$p)))$(eval \
    $(BOOK)/paper/$(lastword $(subst :, ,$p)).json: $(firstword $(subst :, ,$p))))

# XeLaTeX three times: the list of contents must know its pages.
$(BOOK)/warpbook.pdf: $(BOOK_TREES) $(BOOK)/facts.tsv book/pdf.yaml book/pdf.tex \
                      book/pdf.lua book/answers.lua book/pdf-check.sh \
                      $(BOOK_PICTURES)
	@mkdir -p $(BOOK)/pdf
	@$(say)
	$(BOOK_JOIN) -t latex --toc-depth=1 --top-level-division=chapter \
	    --lua-filter book/pdf.lua \
	    -H book/pdf.tex -V tables --highlight-style tango -M date="$$($(BOOK_EDITION))" \
	    -o $(BOOK)/pdf/warpbook.tex $(BOOK_TREES)
	for svg in $(BOOK_PICTURES); do \
	    rsvg-convert -f pdf -z 0.8 -o $(BOOK)/pdf/$$(basename $$svg .svg).pdf $$svg \
	        || exit 1; \
	done
	sed -i -e 's|\\includesvg|\\includegraphics|' \
	    -e 's|{ *book/[a-z]*/\([^}]*\)\.svg}|{$(abspath $(BOOK))/pdf/\1.pdf}|' \
	    $(BOOK)/pdf/warpbook.tex
	for pass in 1 2 3; do \
	    xelatex -interaction=nonstopmode -halt-on-error \
	        -output-directory $(BOOK)/pdf $(BOOK)/pdf/warpbook.tex \
	        >$(BOOK)/pdf/words || { tail -30 $(BOOK)/pdf/words; exit 1; }; \
	done
	sh book/pdf-check.sh $(BOOK)/pdf/warpbook.log
	mv $(BOOK)/pdf/warpbook.pdf $@

$(BOOK)/warpbook.epub: $(BOOK_TREES) book/pdf.yaml book/epub.css \
                       book/answers.lua $(BOOK_PICTURES)
	@$(say)
	rsvg-convert -w 1200 -o $(BOOK)/cover.png book/pictures/cover.svg
	$(BOOK_JOIN) -t epub3 --toc-depth=2 --mathml --css book/epub.css \
	    --epub-chapter-level=1 --epub-cover-image=$(BOOK)/cover.png \
	    -o $@.new $(BOOK_TREES)
	mv $@.new $@
