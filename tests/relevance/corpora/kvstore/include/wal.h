#ifndef WAL_H
#define WAL_H

#include <stddef.h>

struct wal {
    int fd;
    size_t offset;
};

int wal_open(struct wal *wal, const char *path);
int wal_append(struct wal *wal, const char *key, const char *value, size_t value_len);
int wal_replay(struct wal *wal, void (*apply)(const char *key, const char *value, size_t len, void *context), void *context);

#endif
