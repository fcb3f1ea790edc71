# SPDX-License-Identifier: MIT
# `make mutation`: how many mutants of the engine its tests notice. FILES are
# the race detector's, the observers' and control.c; MUTANTS per file, by SEED.

.PHONY: mutation
mutation: programs
	@BUILD='$(BUILD)' OBJECTS='$(call sim_obj,o)' CC='$(CC)' \
	    LIBS='$(LIBS)' \
	    MUTANTS='$(MUTANTS)' sh tests/mutation/mutation.sh $(FILES)
