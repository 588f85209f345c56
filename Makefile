# pipe2048: make, make test, make demo; make help lists the rest.
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
CFLAGS  ?= -O2 -g
BUILD   ?= .build/default
BIN     ?= bin

PROGRAMS = gen-episodes episode-stat episode-text ntuple-new ntuple-info ntuple-convert ntuple-learn ntuple-eval \
           ntuple-fold ntuple-merge \
           expectimax-play age-enumerate age-backup ef-pack age-query age-stat plot board-svg
# Compiled once for every variant of src/util/cpu.h.
HOT      = src/game/kernel.c src/ntuple/eval-kernel.c src/ntuple/learn-kernel.c \
           src/search/kernel.c src/solve/kernel.c src/solve/lookup.c

# Sanitizers: make SAN=address,undefined BUILD=.build/asan BIN=.build/asan/bin
SAN   ?=
FLAGS  = -std=c11 -D_GNU_SOURCE -Isrc -pthread -ffp-contract=off -MMD -MP \
         -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
         $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
VARIANTS = plain
ifneq ($(filter x86_64-% amd64-%,$(shell $(CC) -dumpmachine)),)
VARIANTS += v3
FLAGS    += -DWITH_V3
endif
v3_FLAGS  = -mavx2 -mf16c -mbmi -mbmi2 -mpopcnt -mlzcnt

LIBRARY = $(filter-out $(HOT),$(wildcard src/*/*.c))
OBJECTS = $(patsubst src/%.c,$(BUILD)/%.o,$(filter-out src/cmd/%,$(LIBRARY))) \
          $(foreach v,$(VARIANTS),$(patsubst src/%.c,$(BUILD)/%.$(v).o,$(HOT)))
UNITS   = $(patsubst test/unit/%.c,$(BUILD)/unit/%,$(wildcard test/unit/*.c))

all: $(PROGRAMS:%=$(BIN)/%)

$(BIN)/%: $(BUILD)/cmd/%.o $(BUILD)/pipe2048.a
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/pipe2048.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<

define variant_rule
$(BUILD)/%.$(1).o: src/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(FLAGS) $$(CFLAGS) $$($(1)_FLAGS) -DVARIANT=$(1) $$(CPPFLAGS) -c -o $$@ $$<
endef
$(foreach v,$(VARIANTS),$(eval $(call variant_rule,$(v))))

$(BUILD)/unit/%: test/unit/%.c $(BUILD)/pipe2048.a
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -Itest/unit -o $@ $< $(BUILD)/pipe2048.a -lm

units: $(UNITS)

# Some of it: make test T="unit gen-episodes"
test: all units
	@BIN='$(BIN)' BUILD='$(BUILD)' test/run $(T)

# The suite in every kind of build: other compilers, sanitizers, valgrind.
check: all
	@test/check $(T)

# Completion scripts come from the option tables, so the programs print them.
COMPLETIONS = $(foreach p,$(PROGRAMS),$(BUILD)/completion/bash/$p $(BUILD)/completion/zsh/$p)

$(BUILD)/completion/bash/%: $(BIN)/%
	@mkdir -p $(@D)
	$(BIN)/$* --completion bash > $@.new && mv $@.new $@

$(BUILD)/completion/zsh/%: $(BIN)/%
	@mkdir -p $(@D)
	$(BIN)/$* --completion zsh > $@.new && mv $@.new $@

# Source and place below PREFIX of every file that install copies.
FILES = $(foreach p,$(PROGRAMS),$(BIN)/$p:bin/$p) \
        $(foreach f,$(wildcard share/man/man?/*),$f:$f) \
        $(foreach f,README.md LICENSE,$f:share/doc/pipe2048/$f) \
        $(foreach f,$(shell find share/doc -type f),$f:share/doc/pipe2048/$(f:share/doc/%=%)) \
        $(foreach f,$(shell find pipelines share/networks -type f),$f:share/pipe2048/$(f:share/%=%)) \
        $(foreach p,$(PROGRAMS),$(BUILD)/completion/bash/$p:share/bash-completion/completions/$p) \
        $(foreach p,$(PROGRAMS),$(BUILD)/completion/zsh/$p:share/zsh/site-functions/_$p)

install: all $(COMPLETIONS)
	@set -e; for f in $(FILES); do \
	    from=$${f%%:*} to="$(DESTDIR)$(PREFIX)/$${f#*:}" mode=644; \
	    if [ -x "$$from" ]; then mode=755; fi; \
	    mkdir -p "$${to%/*}"; install -m $$mode "$$from" "$$to"; \
	done
	@echo "installed in $(DESTDIR)$(PREFIX)"

# Empty folders go too, but for the common ones of a running system.
uninstall:
	@for f in $(FILES); do rm -f "$(DESTDIR)$(PREFIX)/$${f#*:}"; done; \
	cd "$(DESTDIR)$(PREFIX)" 2>/dev/null || exit 0; \
	for f in $(FILES); do f=$${f#*:}; f=$${f%/*}; \
	    case "$(DESTDIR)$(PREFIX)/$$f" in \
	    /usr/bin | /usr/local/bin | /usr/share/man/* | /usr/local/share/man/*) ;; \
	    /usr/share/*-completion/* | /usr/share/zsh/* | /usr/local/share/zsh/*) ;; \
	    *) rmdir -p "$$f" 2>/dev/null || : ;; \
	    esac; \
	done; \
	if [ -n "$(DESTDIR)" ]; then cd "$(DESTDIR)" && rmdir -p ".$(PREFIX)"; \
	else cd / && rmdir "$(PREFIX)"; fi 2>/dev/null || :

demo: all
	@PIPE2048_BIN=$(BIN) pipelines/demo

bench: all
	@PIPE2048_BIN=$(BIN) test/bench/run "$(NAME)"

#: make            build all programs into bin
#: make test       run all tests
#: make demo       a tour of a few seconds
#: make bench      measure speeds; NAME=TEXT for some rows, BENCH_CALLGRIND=1 for more
#: make install    copy programs, manuals, completions and pipelines below PREFIX (default /usr/local)
#: make uninstall  remove what install copied
#: make clean      remove what was built
#: make help       print this list
#: Settings: PREFIX DESTDIR CC CFLAGS LDFLAGS BUILD BIN SAN=address,undefined
help:
	@sed -n 's/^#: //p' Makefile

.PHONY: install uninstall demo bench help

clean:
	rm -rf .build $(PROGRAMS:%=bin/%)

.PHONY: all units test check clean
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
