# pipe2048: make, make test, make demo; make help lists the rest.
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
CFLAGS  ?= -O2 -g
BUILD   ?= .build/default
BIN     ?= bin

PROGRAMS = gen-episodes episode-stat episode-text age-enumerate age-backup
# Compiled once for every variant of src/util/cpu.h.
HOT      = src/game/kernel.c src/solve/kernel.c src/solve/lookup.c

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
v3_FLAGS  = -mavx2 -mbmi -mbmi2 -mpopcnt -mlzcnt

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
	$(CC) $(FLAGS) $(CFLAGS) -Itest/unit -o $@ $< $(BUILD)/pipe2048.a -lm

units: $(UNITS)

clean:
	rm -rf .build $(PROGRAMS:%=bin/%)

.PHONY: all units clean
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
