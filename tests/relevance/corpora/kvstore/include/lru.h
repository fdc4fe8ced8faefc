#ifndef LRU_H
#define LRU_H

#include "entry.h"

/* Entries in order of their last use. */
struct lru {
    struct entry *newest;
    struct entry *oldest;
    size_t bytes;
    size_t max_bytes;
};

void lru_touch(struct lru *lru, struct entry *entry);
struct entry *lru_evict(struct lru *lru);

#endif
