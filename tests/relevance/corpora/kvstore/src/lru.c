#include "lru.h"

#include <string.h>

static void unlink_entry(struct lru *lru, struct entry *entry)
{
    if (entry->newer)
        entry->newer->older = entry->older;
    else
        lru->newest = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    else
        lru->oldest = entry->newer;
}

/* Moves an entry to the front of the list, because it was used. */
void lru_touch(struct lru *lru, struct entry *entry)
{
    if (entry == lru->newest)
        return;
    unlink_entry(lru, entry);
    entry->older = lru->newest;
    entry->newer = NULL;
    if (lru->newest)
        lru->newest->newer = entry;
    lru->newest = entry;
}

/* Takes the entry that was used longest ago out of the list, if memory is short. */
struct entry *lru_evict(struct lru *lru)
{
    struct entry *victim = lru->oldest;
    if (!victim || lru->bytes <= lru->max_bytes)
        return NULL;
    unlink_entry(lru, victim);
    lru->bytes -= strlen(victim->key) + victim->value_len;
    return victim;
}
