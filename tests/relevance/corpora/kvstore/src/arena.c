#include "arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (1 << 20)

/* Returns aligned memory; a new block is allocated when the present one is full. */
void *arena_alloc(struct arena *arena, size_t n)
{
    n = (n + 15) & ~(size_t)15;
    if (arena->used + n > arena->size) {
        arena->size = n > BLOCK_BYTES ? n : BLOCK_BYTES;
        arena->block = malloc(arena->size);
        arena->used = 0;
        if (!arena->block)
            abort();
    }
    void *memory = arena->block + arena->used;
    arena->used += n;
    return memory;
}

struct entry *arena_entry(struct arena *arena, const char *key, const char *value, size_t len)
{
    struct entry *entry = arena_alloc(arena, sizeof *entry);
    memset(entry, 0, sizeof *entry);
    entry->key = arena_alloc(arena, strlen(key) + 1);
    strcpy(entry->key, key);
    entry->value = arena_alloc(arena, len);
    memcpy(entry->value, value, len);
    entry->value_len = len;
    return entry;
}
