#include <stdio.h>
#include <time.h>

#include "wal.h"

static void ignore(const char *key, const char *value, size_t len, void *context)
{
    (void)key, (void)value, (void)len, (void)context;
}

/* Measures how long it takes to replay a write-ahead log after a crash. */
int main(int argc, char **argv)
{
    struct wal wal;
    clock_t start = clock();
    if (argc < 2 || wal_open(&wal, argv[1]) != 0 || wal_replay(&wal, ignore, NULL) != 0)
        return 1;
    printf("replayed %zu bytes in %.3f s\n", wal.offset, (double)(clock() - start) / CLOCKS_PER_SEC);
    return 0;
}
