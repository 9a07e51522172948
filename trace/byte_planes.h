/*
 * byte_planes - numbers of the same width as planes: first the lowest byte of each, then the next;
 * private to trace/.
 *
 * Of addresses that follow no rule each plane has another distribution, which is what an entropy
 * coder can use.
 */
#ifndef BYTE_PLANES_H
#define BYTE_PLANES_H

#include <stddef.h>
#include <stdint.h>

/* Split `count` numbers of `width` bytes (1, 2, 4, 8), little-endian, one behind the other. */
void byte_planes_split(unsigned char *to, const unsigned char *from, size_t count, size_t width);

/* Number i of `count` in planes. */
static inline uint64_t byte_planes_get(const unsigned char *planes, size_t count, size_t width,
                                       size_t i)
{
	uint64_t value = 0;

	for (size_t k = 0; k < width; k++)
		value |= (uint64_t)planes[k * count + i] << 8 * k;
	return value;
}

#endif
