# SPDX-License-Identifier: MIT
# The learner's commands. `make check-chapter 5`, `make check-chapter N=5` and
# `make check-chapter-5` are the same. Included before the Makefile looks for
# the CUDA toolkit, because the set-up may install it.

.DEFAULT_GOAL := help
PLAIN    = help list next update doctor bench sweep tune bench-sim bench-check test test-portable \
           test-class test-handout \
           docs clean mutation programs unit fuzz book book-pdf book-epub pictures plots predictions \
           snippets test-book
NUMBERED = check-chapter check-solution run watch hint start predict diff reset \
           analyze roofline trace lines grade handout export profile
PLAIN   += test-slurm test-page page-engine page-kernels page-speed train

# A misspelt option is an error rather than silently ignored.
OPTIONS  = N KERNEL DEVICE GPU SEED CASE SHAPE DRAW SRC GRADE JSON PREBUILT PEERS ROOFS \
           FROM TO JOBS POINTS ON FOR STUDENTS MODEL
SETTINGS = BUILD CUDA_HOME NVCC CC AR CFLAGS WARN SAN V YES SETUP_ROOT COMMIT \
           OF FLAT CELLS READER SECONDS SHAPES REPEATS MAP DEPTH FOREST FUZZ_CC DEBIAN SUITES WHERE FILES MUTANTS BASE
given   := $(foreach v,$(.VARIABLES),$(if \
             $(filter command,$(firstword $(origin $v))),$v))
unknown := $(filter-out $(OPTIONS) $(SETTINGS),$(given))
ifneq ($(unknown),)
$(error no such option: $(unknown). There are: $(OPTIONS))
endif

# What an option says is data: a $ in it is no variable of make's, and no command.
$(foreach v,$(OPTIONS),$(if $(filter command environment,$(origin $v)),\
    $(eval override $v := $$(value $v))))

# SHAPE= without a value would be read as no option at all.
empties := $(strip $(foreach v,$(filter GPU SEED CASE SHAPE DRAW SRC KERNEL,$(given)),\
             $(if $(strip $($v)),,$v)))
ifneq ($(empties),)
$(error $(firstword $(empties))= has no value. Give it one, or leave it out)
endif

# A folder's name with blanks is several words to a rule.
ifneq ($(words $(BUILD)),1)
$(error BUILD=$(BUILD): make cannot build in a folder whose name has blanks. \
Give it another)
endif

# Splits check-chapter-5 into check-chapter 5, then commands from other words.
GOALS   := $(MAKECMDGOALS)
words   := $(foreach g,$(GOALS),$(or $(strip $(foreach c,$(NUMBERED),\
             $(if $(filter $c-%,$g),$c $(patsubst $c-%,%,$g)))),$g))
COMMAND := $(sort $(filter $(NUMBERED),$(words)))
quote    = '$(subst ','\'',$1)'

# 1. Which chapter? Nothing is installed or built if it does not exist.
ifneq ($(COMMAND),)
OTHERS  := $(filter-out $(COMMAND) $(PLAIN),$(words))
CHAPTER := $(shell sh common/cli/chapter.sh $(COMMAND) -- \
             $(foreach w,$(N) $(OTHERS),$(call quote,$w)))
ifneq ($(.SHELLSTATUS),0)
$(error nothing was done)
endif
endif

# 2. Which packages does the command need? Typing errors install nothing.
BUILDS = predictions check-% analyze% roofline% trace% lines% profile% run watch start run-% \
         watch-% start-% grade% handout% export% bench sweep tune bench-sim bench-check \
         programs test-portable test-class test-handout $(BUILD)/%
TESTS  = test unit hardware fuzz mutation
BUILDS += test-slurm test-page page-kernels page-speed train
NEEDS := $(if $(filter $(BUILDS) $(TESTS),$(GOALS)),\
           compile $(if $(PREBUILT),,build)) \
         $(if $(filter $(TESTS),$(GOALS)),test) \
         $(if $(filter docs,$(GOALS)),docs) \
         $(if $(filter test-slurm,$(GOALS)),grade slurm) \
         $(if $(filter grade% test test-class,$(GOALS)),grade) \
         $(if $(filter export% $(TESTS),$(GOALS)),export) \
         $(if $(filter book book-% snippets test-book test-page test,$(GOALS)),book) \
         $(if $(filter pictures plots $(TESTS) $(if $(PREBUILT),,roofline% \
         analyze%),$(GOALS)),plot) \
         $(if $(filter book-pdf test-book,$(GOALS)),pdf) \
         $(if $(filter test-book,$(GOALS)),formats) \
         $(if $(filter test-book test-page,$(GOALS)),browser) \
         $(if $(filter page-kernels,$(GOALS)),export) \
         $(if $(filter test-portable test-page page-engine page-speed,\
             $(GOALS)),portable)
ifneq ($(strip $(NEEDS)),)
ifeq ($(findstring n,$(firstword -$(MAKEFLAGS))),)
SETUP := $(shell CUDA_HOME=$(call quote,$(CUDA_HOME)) \
           sh common/cli/setup.sh $(NEEDS) >&2)
ifneq ($(.SHELLSTATUS),0)
$(error set-up is not complete, nothing was built)
endif
endif
endif

# A workbook that somebody else owns, or that lies on a CD. Once it is built,
# one can grade with it: all that is written goes to TO.
ifneq ($(if $(and $(filter grade,$(COMMAND)),\
         $(wildcard $(BUILD)/bin/check)),,$(strip $(NEEDS))),)
ifneq ($(shell mkdir -p $(call quote,$(BUILD)) 2>/dev/null; test -w \
         $(call quote,$(BUILD)) || echo no),)
$(error You may not write in $(BUILD). Copy the workbook to a folder of your \
own, or name another build folder: BUILD=/tmp/warpbook)
endif
endif

# 3. Build on all cores, with little output; V=1 shows each command.
ifneq ($(strip $(NEEDS)),)
MAKEFLAGS += -j$(shell nproc)
endif
ifndef V
.SILENT:
# On a terminal, one line that is overwritten.
say  = printf '$(if $(MAKE_TERMOUT),\r\033[K)build %s$(if $(MAKE_TERMOUT),\r,\n)' $@
said = $(if $(MAKE_TERMOUT),printf '\r\033[K')
endif

# 4. Run it. If it fails, make's last line shows the checker's exit code.
export BUILD N PEERS ROOFS WHERE KERNEL DEVICE GPU SEED CASE SHAPE DRAW SRC GRADE JSON PREBUILT FROM YES \
       TO JOBS POINTS ON FOR STUDENTS MODEL
READY = $(if $(PREBUILT),,programs)

.PHONY: $(PLAIN) $(NUMBERED) $(if $(COMMAND),$(GOALS))
ifneq ($(COMMAND),)
USED    := $(if $(filter check-% run watch start analyze roofline trace lines \
             profile grade handout export,$(COMMAND)),$(READY))
ifeq ($(MAKE_RESTARTS)$(wildcard $(BUILD)/bin/check),)
$(if $(USED),$(info The first command builds the checker and the simulated GPU: \
a few minutes, once.))
endif
ACTIVE  := $(firstword $(filter $(COMMAND) $(COMMAND)-%,$(GOALS)))
SCRIPT   = $(if $(filter check-% run,$(COMMAND)),check,$(if \
             $(filter roofline,$(COMMAND)),analyze,$(if \
             $(filter lines,$(COMMAND)),trace,$(COMMAND))))

$(sort $(filter-out $(ACTIVE) $(PLAIN),$(GOALS))): ;@:
$(ACTIVE): $(USED)
	@exec sh common/cli/$(SCRIPT).sh $(COMMAND) $(CHAPTER)
endif

help:
	@cat common/cli/help.txt

list next:
	@exec sh common/cli/list.sh $@

update doctor:
	@exec sh common/cli/$@.sh

# The programs are built before the suites run.
test: $(READY) $(if $(PREBUILT),,unit)
	@exec sh tests/run.sh

docs:
	@mkdir -p $(BUILD)/docs
	@BUILD=$(BUILD) doxygen Doxyfile
	@echo "open $(BUILD)/docs/html/index.html"

clean:
	rm -rf $(BUILD)

.DEFAULT:
	@exec sh common/cli/unknown.sh $(call quote,$@)

# `make clean test` runs one after the other, even with -j.
ifneq ($(filter clean,$(GOALS)),)
.NOTPARALLEL:
endif
