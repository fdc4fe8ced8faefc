#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "hash.h"

void table_init(struct table *table, size_t n_slots)
{
    table->slots = calloc(n_slots, sizeof *table->slots);
    table->n_slots = n_slots;
    table->n_used = 0;
}

/* Returns the slot of a key, or the empty slot where it belongs. Collisions go to the next slot. */
static size_t slot_of(const struct table *table, const char *key)
{
    size_t slot = hash_string(key) % table->n_slots;
    while (table->slots[slot] && strcmp(table->slots[slot]->key, key) != 0)
        slot = (slot + 1) % table->n_slots;
    return slot;
}

struct entry *table_find(const struct table *table, const char *key)
{
    return table->slots[slot_of(table, key)];
}

/* Doubles the number of slots and puts every entry into its new place. */
static int grow(struct table *table)
{
    struct table larger;
    table_init(&larger, table->n_slots * 2);
    if (!larger.slots)
        return -1;
    for (size_t i = 0; i < table->n_slots; i++)
        if (table->slots[i])
            larger.slots[slot_of(&larger, table->slots[i]->key)] = table->slots[i];
    free(table->slots);
    table->slots = larger.slots;
    table->n_slots = larger.n_slots;
    return 0;
}

int table_insert(struct table *table, struct entry *entry)
{
    if (table->n_used * 4 >= table->n_slots * 3 && grow(table) != 0)
        return -1;
    size_t slot = slot_of(table, entry->key);
    if (!table->slots[slot])
        table->n_used++;
    table->slots[slot] = entry;
    return 0;
}

struct entry *table_remove(struct table *table, const char *key)
{
    size_t slot = slot_of(table, key);
    struct entry *removed = table->slots[slot];
    if (removed) {
        table->slots[slot] = NULL;
        table->n_used--;
    }
    return removed;
}
