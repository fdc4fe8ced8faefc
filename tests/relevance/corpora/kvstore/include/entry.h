#ifndef ENTRY_H
#define ENTRY_H

#include <stddef.h>
#include <time.h>

/* A key with its value, in a list ordered by last use. */
struct entry {
    char *key;
    char *value;
    size_t value_len;
    time_t expires_at;
    struct entry *newer;
    struct entry *older;
};

#endif
