#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

struct entry;

/* A hash table with open addressing. */
struct table {
    struct entry **slots;
    size_t n_slots;
    size_t n_used;
};

void table_init(struct table *table, size_t n_slots);
struct entry *table_find(const struct table *table, const char *key);
int table_insert(struct table *table, struct entry *entry);
struct entry *table_remove(struct table *table, const char *key);

#endif
