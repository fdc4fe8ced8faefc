#ifndef HASH_H
#define HASH_H

#include <stdint.h>

uint64_t hash_string(const char *text);

#endif
