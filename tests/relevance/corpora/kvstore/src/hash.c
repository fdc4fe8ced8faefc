#include "hash.h"

/* FNV-1a: small, and good enough for short keys. */
uint64_t hash_string(const char *text)
{
    uint64_t hash = 14695981039346656037ULL;
    for (; *text; text++) {
        hash ^= (unsigned char)*text;
        hash *= 1099511628211ULL;
    }
    return hash;
}
