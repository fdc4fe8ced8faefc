#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s [--port N] [--max-bytes N] LOG\n", program);
    exit(2);
}

int main(int argc, char **argv)
{
    int port = 7070;
    size_t max_bytes = (size_t)64 << 20;
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--port") == 0 && i + 1 < argc)
            port = atoi(argv[++i]);
        else if (strcmp(argv[i], "--max-bytes") == 0 && i + 1 < argc)
            max_bytes = strtoul(argv[++i], NULL, 10);
        else
            path = argv[i];
    }
    if (!path)
        usage(argv[0]);
    struct store store;
    if (store_open(&store, path, max_bytes) != 0)
        return 1;
    return server_run(&store, port);
}
