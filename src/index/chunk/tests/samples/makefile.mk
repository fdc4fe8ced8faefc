# Builds the shop.
include common.mk
-include $(wildcard *.d)

CC ?= gcc
override CFLAGS += -O2
SOURCES := $(wildcard src/*.c) \
	main.c
OBJECTS = $(SOURCES:.c=.o)
export PATH := $(CURDIR)/bin:$(PATH)

.PHONY: all clean

all: shop docs ## Builds everything.

# Links the program.
shop: $(OBJECTS) | build
	$(CC) -o $@ $^ $(LDFLAGS)
	@echo $$HOME

%.o: %.c config.h
	$(CC) $(CFLAGS) -c $<

define install_one
	install -m 755 $(1) $(DESTDIR)
endef

ifeq ($(OS),Windows_NT)
EXT = .exe
else
EXT =
endif

install: all
	$(call install_one,shop$(EXT))
	$(MAKE) -C docs install

clean docs:: ; rm -f $(OBJECTS)

release:
	$(MAKE) clean && ./scripts/release.sh
debug: CFLAGS = -g
