/*
 * varint - numbers in as few bytes as they need: LEB128, and zigzag for differences; private to
 * trace/.
 *
 * For columns of small numbers, most of them 0. Readers keep VARINT_BYTES_MAX zero bytes after a
 * column, so that reading a number that begins inside never goes past the memory.
 */
#ifndef VARINT_H
#define VARINT_H

#include <stddef.h>
#include <stdint.h>

#define VARINT_BYTES_MAX   10 /* of 64 bits */
#define VARINT_BYTES_MAX32 5

/* Map small differences of either sign to small numbers: 0 -1 1 -2 ... become 0 1 2 3 ... */
static inline uint64_t zigzag64(uint64_t difference)
{
	return (difference << 1) ^ (0 - (difference >> 63));
}

static inline uint64_t unzigzag64(uint64_t code)
{
	return (code >> 1) ^ (0 - (code & 1));
}

static inline uint32_t zigzag32(uint32_t difference)
{
	return (difference << 1) ^ (0 - (difference >> 31));
}

static inline uint32_t unzigzag32(uint32_t code)
{
	return (code >> 1) ^ (0 - (code & 1));
}

/* Write `value` at `at`, which must have room. Returns the address after it. */
static inline unsigned char *varint_put(unsigned char *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*at++ = (unsigned char)value;
	return at;
}

/* Read a number. Returns the address after it, or NULL when it does not fit in 64 bits. */
static inline const unsigned char *varint_get(const unsigned char *at, uint64_t *out)
{
	uint64_t value = *at & 0x7f;

	for (unsigned shift = 7; *at++ & 0x80; shift += 7) {
		if (shift == 63 && *at > 1)
			return NULL;
		value |= (uint64_t)(*at & 0x7f) << shift;
	}
	*out = value;
	return at;
}

#endif
