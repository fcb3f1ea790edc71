# SPDX-License-Identifier: MIT
# tests/page: the page's engine as a native program, and the tests that need
# emscripten, node or a browser.
#
#   make test-page    after `make test-portable`, whose objects it uses
#   make page-speed   warp instructions per second of the page's engine

PAGE_NATIVE_SRC = tests/page/native.c $(PAGE_SRC)
$(BUILD)/bin/page-native: $(call obj,o,$(PAGE_NATIVE_SRC)) $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

# Not all pages of the book: those that the tests open.
PAGES_TESTED = $(notdir $(patsubst %/,%,$(foreach n,05 06 07 10 12,\
                 $(wildcard chapters/$n-*/))))
PAGE_TEST = $(BUILD)/bin/page-native page-engine book-scripts \
            $(PAGES_TESTED:%=$(BUILD)/book/html/%.html)
test: | $(if $(filter test-page,$(GOALS)),$(PAGE_TEST))
test-page: $(PAGE_TEST)
	@sh book/copy.sh $(BUILD)/book/html $(PAGES_TESTED:%=$(BUILD)/book/%.files)
	@exec sh tests/page/whole.sh
page-speed: page-engine
	@node tests/page/speed.js $(BUILD)/page/engine.js
.PHONY: test-page page-speed
