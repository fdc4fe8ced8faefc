#include "store.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Drops old entries until memory is no longer short. */
static void make_room(struct store *store)
{
    struct entry *victim;
    while ((victim = lru_evict(&store->lru)))
        table_remove(&store->table, victim->key);
}

static void apply(const char *key, const char *value, size_t len, void *context)
{
    struct store *store = context;
    struct entry *entry = arena_entry(&store->arena, key, value, len);
    table_insert(&store->table, entry);
    lru_touch(&store->lru, entry);
}

/* Opens a store and replays its log. */
int store_open(struct store *store, const char *path, size_t max_bytes)
{
    memset(store, 0, sizeof *store);
    table_init(&store->table, 1024);
    store->lru.max_bytes = max_bytes;
    if (wal_open(&store->wal, path) != 0)
        return -1;
    return wal_replay(&store->wal, apply, store);
}

static int is_expired(const struct entry *entry, time_t now)
{
    return entry->expires_at != 0 && entry->expires_at <= now;
}

int store_execute(struct store *store, const struct command *command, int fd)
{
    struct entry *entry = table_find(&store->table, command->key);
    switch (command->kind) {
    case COMMAND_GET:
        if (!entry || is_expired(entry, time(NULL)))
            return dprintf(fd, "NIL\r\n") < 0 ? -1 : 0;
        lru_touch(&store->lru, entry);
        return dprintf(fd, "%zu %.*s\r\n", entry->value_len, (int)entry->value_len, entry->value) < 0 ? -1 : 0;
    case COMMAND_DEL:
        table_remove(&store->table, command->key);
        return 0;
    default:
        make_room(store);
        return wal_append(&store->wal, command->key, "", command->value_len);
    }
}
