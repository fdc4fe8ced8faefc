#include <assert.h>
#include <stdio.h>

#include "entry.h"
#include "table.h"

/* Collisions go to the next slot, and every key is found after the table has grown. */
static void test_grow_keeps_all_keys(void)
{
    static struct entry entries[100];
    static char keys[100][8];
    struct table table;
    table_init(&table, 4);
    for (int i = 0; i < 100; i++) {
        snprintf(keys[i], sizeof keys[i], "k%d", i);
        entries[i].key = keys[i];
        assert(table_insert(&table, &entries[i]) == 0);
    }
    for (int i = 0; i < 100; i++)
        assert(table_find(&table, keys[i]) == &entries[i]);
}

int main(void)
{
    test_grow_keeps_all_keys();
    return 0;
}
