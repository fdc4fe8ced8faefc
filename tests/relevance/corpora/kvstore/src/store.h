#ifndef STORE_H
#define STORE_H

#include "arena.h"
#include "lru.h"
#include "protocol.h"
#include "table.h"
#include "wal.h"

/* Everything that belongs to an open store. */
struct store {
    struct table table;
    struct lru lru;
    struct wal wal;
    struct arena arena;
};

int store_open(struct store *store, const char *path, size_t max_bytes);
int store_execute(struct store *store, const struct command *command, int fd);

#endif
