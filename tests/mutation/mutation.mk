# SPDX-License-Identifier: MIT
# `make mutation`: how many mutants of the engine its tests notice. FILES are
# the race detector's, the observers' and control.c; MUTANTS per file, by SEED.
# `make mutation-tests` builds the tests alone, for another machine to run them
# by `PREPARED=1 sh tests/mutation/mutation.sh` (see there).

MUTATION = BUILD='$(BUILD)' OBJECTS='$(call sim_obj,o)' CC='$(CC)' \
    LIBS='$(LIBS)' MUTANTS='$(MUTANTS)' sh tests/mutation/mutation.sh

.PHONY: mutation mutation-tests
mutation: programs
	@$(MUTATION) $(FILES)
mutation-tests: programs
	@$(MUTATION) --prepare
