# SPDX-License-Identifier: MIT

.PHONY: bench bench-check sweep tune
bench: $(READY)
	@sh common/cli/bench.sh $(BUILD) $(CUDA_HOME)

# How long a verdict takes, against nvcc alone.
bench-check: $(READY)
	@BUILD=$(BUILD) CUDA_HOME=$(CUDA_HOME) sh checker/bench/waiting.sh $(N)

# What is given on make's command line reaches them through the environment.
sweep tune: export BUDGET := $(SECONDS)
sweep tune: export SHAPES := $(SHAPES)
sweep tune: export REPEATS := $(REPEATS)
sweep tune: export MAP := $(MAP)
sweep tune: export DEPTH := $(DEPTH)
sweep: export OF := $(OF)
sweep: export FLAT := $(FLAT)
sweep: export PRUNE := $(PRUNE)
tune: export FOREST := $(FOREST)
sweep tune: $(READY)
	@exec sh common/cli/$@.sh $(BUILD)
