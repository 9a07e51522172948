/*
 * trace_damage - a small launch file in memory, to be damaged, and its fields by offset.
 */
#ifndef TRACE_DAMAGE_H
#define TRACE_DAMAGE_H

#include "trace_launch.h"

/* The places of FORMAT.md that the tests aim at. */
#define HEADER       120u
#define CHUNK_HEADER 136u
#define TRAILER      120u
#define COLUMNS      9u

/* A small launch of a few groups with its file, in `launch` and `file`. */
struct fixture {
	struct random random;
	struct test_launch launch;
	unsigned char *file;
	size_t length;
};

/* With from two groups on, some events in each, a loop, and a file below 1500 bytes; seeds are
 * tried from `seed` on. */
void make_fixture(struct fixture *f, uint64_t seed);
void free_fixture(struct fixture *f);

/* Numbers as they are in the file. */
uint64_t get64(const unsigned char *at);
uint32_t get32(const unsigned char *at);
void put64(unsigned char *at, uint64_t value);
void put32(unsigned char *at, uint32_t value);

/* Whether an error is one that a damaged file may give. */
bool is_damage(int ret);

/* Put the checksums right again, so that only the claims themselves can be wrong; sign_trailer()
 * last, since it depends on the header. */
void sign_header(unsigned char *file);
void sign_trailer(unsigned char *file, size_t length);
void sign_chunk(unsigned char *chunk, size_t length);

/*
 * Make the index anew with the sums that the chunks have now, as the version in the header wants
 * it; before that it was as `was` has it. The trailer moves: *length changes, up to `capacity`. An
 * index that cannot be read stays.
 */
void sign_index(unsigned char *file, size_t *length, size_t capacity, uint32_t was);

/* Read whatever a file says, as a launch of f's kernel: only that it ends well matters. */
int read_anything(const struct fixture *f, const unsigned char *bytes, size_t length,
                  struct err *err);

#endif
