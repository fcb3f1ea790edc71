# SPDX-License-Identifier: MIT
# The book. HTML: $(BUILD)/book/html/index.html, from the pages that
# book/pages.sh lists. Each page is one pandoc; what pages know of each other is
# the list of all sections (outline.tsv), which changes seldom.

BOOK      = $(BUILD)/book
BOOK_HTML = $(BOOK)/html

# Only for goals of the book: others need not look for its pages.
ifneq ($(filter book snippets test-book test-page book-% $(BUILD)/book/%,$(GOALS)),)
BOOK_LIST  := $(shell mkdir -p $(BOOK); sh book/pages.sh | tee $(BOOK)/pages.new | \
                awk '{ print $$2 ":" $$3 }'; \
                cmp -s $(BOOK)/pages.new $(BOOK)/pages.tsv || \
                cp $(BOOK)/pages.new $(BOOK)/pages.tsv)

# Pages run kernels where `make page-engine` has built what they need.
BOOK_ENGINE := $(if $(filter page-engine test-page,$(GOALS))$(wildcard \
                 $(BUILD)/page/engine.js),yes,no)
BOOK_EMCC   := $(if $(filter page-engine test-page,$(GOALS)),yes,$(shell \
                 command -v emcc))
$(shell echo $(BOOK_ENGINE) | cmp -s - $(BOOK)/engine || \
        echo $(BOOK_ENGINE) >$(BOOK)/engine)
endif
BOOK_SIM   = $(if $(filter yes,$(BOOK_ENGINE)),engine \
               $(basename $(notdir $(wildcard book/kernels/*.js))))
BOOK_SRC   = $(foreach p,$(BOOK_LIST),$(firstword $(subst :, ,$p)))
BOOK_NAMES = $(foreach p,$(BOOK_LIST),$(lastword $(subst :, ,$p)))
BOOK_LUA   = book/lua.sh $(wildcard book/lua/*.lua)
PLOT_TOOLS = $(wildcard book/plots/*.gp book/plots/*.awk book/plots/*.svg)
BOOK_TOOLS = $(addprefix book/,html.lua simulator.lua book.lua contents.lua numbers.lua) \
             book/theme/page.html

# A new file only where it says something new, so that nothing that depends
# on it is built again.
if_new = cmp -s $1.new $1 && rm $1.new || mv $1.new $1

book: $(BOOK_NAMES:%=$(BOOK_HTML)/%.html) $(BOOK_HTML)/search.js \
      $(BOOK_HTML)/gpus.js book-scripts
	@sh book/copy.sh $(BOOK_HTML) $(BOOK_NAMES:%=$(BOOK)/%.files)
	@echo "open $(BOOK_HTML)/index.html"

book-scripts: $(BOOK_SIM:%=$(BOOK_HTML)/sim-%.js) $(patsubst book/theme/%,\
      $(BOOK_HTML)/%,$(wildcard book/theme/*.css book/theme/*.js))
.PHONY: book-scripts

snippets: $(BOOK)/facts.tsv
	@sh book/lua.sh snippets write $< $(BOOK_SRC)

$(BOOK)/facts.tsv: $(BOOK_LUA) book/predicted.tsv book/predicted-changes.tsv \
    book/predicted-rates.tsv book/study.tsv book/occupancy.tsv \
    $(wildcard chapters/*/chapter.conf chapters/*/sweep*.tsv) \
    $(wildcard tests/hardware/trials/studies/*.tsv) \
    $(wildcard book/results/*/*.json) \
    $(wildcard tests/hardware/*.csv)
	@mkdir -p $(@D)
	@$(say)
	sh book/lua.sh facts >$@.new
	mv $@.new $@

# Where a chapter stands among the others.
$(BOOK)/here.tsv: $(BOOK)/facts.tsv book/road.tsv
	sh book/lua.sh here $< >$@.new
	$(call if_new,$@)

# Every plot and every page against its sources, before any page is made.
$(BOOK)/plotted: $(BOOK)/facts.tsv $(PLOT_TOOLS)
	@$(say)
	sh book/lua.sh plots check $< book/plots
	touch $@
$(BOOK)/checked: $(BOOK)/facts.tsv $(BOOK)/plotted $(BOOK_SRC) \
                 $(foreach f,cu c,$(wildcard chapters/*/*.$f solutions/*/*.$f))
	@$(say)
	sh book/lua.sh snippets check $< $(BOOK_SRC)
	touch $@

define book_page
$(BOOK)/$(2).outline: $(1) book/outline.lua
	@mkdir -p $$(@D)
	@$$(say)
	pandoc -f markdown -t native -o /dev/null --lua-filter book/outline.lua \
	    -M name=$(2) $(1) >$$@

$(BOOK_HTML)/$(2).html: $(1) $(BOOK)/outline.tsv $(BOOK)/pages.tsv $(BOOK_TOOLS) \
                        $(BOOK)/here.tsv $(BOOK)/engine | $(BOOK)/checked
	@mkdir -p $$(@D)
	@$$(say)
	pandoc -f markdown -t html5 --standalone --mathml --wrap=none \
	    --template book/theme/page.html --lua-filter book/html.lua \
	    -M source=$(1) -M pages=$(BOOK)/pages.tsv -M outline=$(BOOK)/outline.tsv \
	    -M sections=$(BOOK)/sections.tsv -M here=$(BOOK)/here.tsv -M facts=$(BOOK)/facts.tsv \
	    -M engine=$(BOOK_ENGINE) -M reference=$$(wildcard $(BUILD)/docs/html/index.html) \
	    -o $$@ $(1) >$(BOOK)/$(2).files
endef
$(foreach p,$(BOOK_LIST),$(eval $(call book_page,$(firstword \
    $(subst :, ,$p)),$(lastword $(subst :, ,$p)))))

# `make docs` before or after: the contents name the reference once it is there.
$(BOOK_HTML)/index.html: $(wildcard $(BUILD)/docs/html/index.html) \
                         $(BOOK)/sections.tsv book/road.tsv

$(BOOK)/pages.tsv $(BOOK)/engine: ;
$(BOOK)/sections.tsv: $(BOOK_NAMES:%=$(BOOK)/%.outline)
	cat $^ >$@
$(BOOK)/outline.tsv: $(BOOK)/sections.tsv
	cut -f 1-4 $< >$@.new
	$(call if_new,$@)

$(BOOK_HTML)/search.js: $(BOOK)/sections.tsv $(BOOK_LUA)
	@mkdir -p $(@D)
	sh book/lua.sh search $< >$@

$(BOOK_HTML)/gpus.js: common/simgpu/gpu.c $(BOOK_LUA)
	@mkdir -p $(@D)
	sh book/lua.sh gpus >$@

$(BOOK_HTML)/%.css: book/theme/%.css
	@mkdir -p $(@D)
	cp $< $@
$(BOOK_HTML)/%.js: book/theme/%.js
	@mkdir -p $(@D)
	cp $< $@

# Built again after a change, unless emscripten has gone since.
$(BOOK_HTML)/sim-engine.js: $(if $(BOOK_EMCC),$(BUILD)/page/engine.js)
	@mkdir -p $(@D)
	cp $(BUILD)/page/engine.js $@
$(patsubst book/kernels/%,$(BOOK_HTML)/sim-%,$(wildcard book/kernels/*.js)): \
$(BOOK_HTML)/sim-%: book/kernels/%
	@mkdir -p $(@D)
	cp $< $@

test-book: book
	@sh tests/book/browser.sh
