#ifndef CRC32_H
#define CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of Ethernet, bit by bit. */
static inline uint32_t crc32(uint32_t crc, const void *data, size_t n)
{
    const unsigned char *byte = data;
    crc = ~crc;
    while (n--) {
        crc ^= *byte++;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

#endif
