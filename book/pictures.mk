# SPDX-License-Identifier: MIT
# The lessons' pictures, drawn again. They are committed, so that a lesson shows
# them wherever it is read; tests/pictures holds them to the program.

$(BUILD)/book/draw: $(call obj,o,$(wildcard book/pictures/*.c) \
    common/simgpu/core/access.c)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^

pictures: $(BUILD)/book/draw
	for name in $$($<); do \
	    $< $$name >book/pictures/$$name.svg || exit 1; \
	done
