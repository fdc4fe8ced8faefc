#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

#include "entry.h"

/* Memory in large blocks, which are freed together. */
struct arena {
    char *block;
    size_t used;
    size_t size;
};

void *arena_alloc(struct arena *arena, size_t n);
struct entry *arena_entry(struct arena *arena, const char *key, const char *value, size_t len);

#endif
