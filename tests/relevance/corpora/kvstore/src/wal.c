#include "wal.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "crc32.h"

struct header {
    uint32_t checksum;
    uint32_t key_len;
    uint32_t value_len;
};

int wal_open(struct wal *wal, const char *path)
{
    wal->fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0644);
    wal->offset = 0;
    if (wal->fd < 0) {
        perror("can't open the write-ahead log");
        return -1;
    }
    return 0;
}

/* Appends a record and syncs it, so that an acknowledged write survives a crash. */
int wal_append(struct wal *wal, const char *key, const char *value, size_t value_len)
{
    struct header header = {0, (uint32_t)strlen(key), (uint32_t)value_len};
    header.checksum = crc32(crc32(0, key, header.key_len), value, value_len);
    if (write(wal->fd, &header, sizeof header) != sizeof header
        || write(wal->fd, key, header.key_len) != header.key_len
        || write(wal->fd, value, value_len) != (ssize_t)value_len)
        return -1;
    return fdatasync(wal->fd);
}

/* Reads all records from the start and applies them; a torn record ends the log. */
int wal_replay(struct wal *wal, void (*apply)(const char *key, const char *value, size_t len, void *context), void *context)
{
    struct header header;
    char key[256], value[65536];
    lseek(wal->fd, 0, SEEK_SET);
    while (read(wal->fd, &header, sizeof header) == sizeof header) {
        if (header.key_len >= sizeof key || header.value_len > sizeof value)
            return -1;
        if (read(wal->fd, key, header.key_len) != header.key_len
            || read(wal->fd, value, header.value_len) != header.value_len)
            break;
        key[header.key_len] = '\0';
        if (crc32(crc32(0, key, header.key_len), value, header.value_len) != header.checksum) {
            fprintf(stderr, "wal: checksum mismatch at offset %zu, the rest is dropped\n", wal->offset);
            break;
        }
        apply(key, value, header.value_len, context);
        wal->offset += sizeof header + header.key_len + header.value_len;
    }
    return 0;
}
