#ifndef SERVER_H
#define SERVER_H

#include "store.h"

int server_run(struct store *store, int port);

#endif
