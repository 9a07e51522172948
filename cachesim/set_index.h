/*
 * set_index - the set of a line (private to this room).
 *
 * `line` is a line's number: its address divided by the bytes of a line. By l1_index or l2_index
 * (SEMANTICS 5):
 *
 *   modulo  line mod sets; any number of sets
 *   fermi   bits 0-4 of the line XOR its bits 6, 7, 8, 10 and 12; with 64 sets bit 5 is the sixth
 *           bit. With 128-byte lines: address bits 7-11 XOR 13, 14, 15, 17, 19, and bit 12
 *           (Nugteren et al., HPCA 2014). 32 or 64 sets
 *   xor     the lowest log2(sets) bits of the line XOR the same number of bits above them: a row
 *           stride of `sets` lines no longer maps to one set. A power of two of sets
 *   bits    bit i of the set is the XOR of the address bits of entry i of the list. A power of two
 *           of sets, with log2(sets) entries, none of them with a bit within a line
 */
#ifndef SET_INDEX_H
#define SET_INDEX_H

#include "gpu.h"

enum { SET_INDEX_BITS = 16 }; /* log2 of the most sets */

struct set_index {
	enum gpu_l1_index kind;
	uint32_t sets;
	uint32_t mask;  /* sets - 1 if sets is a power of two; otherwise 0, and only modulo is
	                   possible */
	uint32_t shift; /* log2(sets) if sets is a power of two */
	uint64_t bits[SET_INDEX_BITS]; /* bits of the line's number in each bit of the set's */
};

/* For a GPU's L1. Returns 0, or ERR_CONFIG if its keys do not go together. */
int set_index_init(struct set_index *index, const struct gpu *gpu, struct err *err);

/*
 * For any other cache of `sets` sets and lines of `line_bytes`, a power of two. `keys` is the
 * prefix of the GPU's keys, "l1" or "l2", for messages. Returns 0, or ERR_CONFIG if the keys do not
 * go together.
 */
int set_index_init_for(struct set_index *index, const struct gpu_spec *function, uint32_t sets,
                       uint32_t line_bytes, const char *keys, struct err *err);

/* The five bits that the Fermi function adds to line bits 0-4. */
static inline uint32_t set_index_fermi_bits(uint64_t line)
{
	return (uint32_t)((line >> 6 & 7) | (line >> 7 & 8) | (line >> 8 & 16));
}

static inline uint32_t set_index_bits(const struct set_index *index, uint64_t line)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < index->shift; i++)
		set |= (uint32_t)__builtin_parityll(line & index->bits[i]) << i;
	return set;
}

/* The set of a line, 0..sets-1. Inline because every request calls it. */
static inline uint32_t set_index_find(const struct set_index *index, uint64_t line)
{
	switch (index->kind) {
	case GPU_L1_INDEX_FERMI:
		return ((uint32_t)line & index->mask) ^ set_index_fermi_bits(line);
	case GPU_L1_INDEX_XOR:
		return (uint32_t)(line ^ line >> index->shift) & index->mask;
	case GPU_L1_INDEX_BITS:
		return set_index_bits(index, line);
	case GPU_L1_INDEX_MODULO:
	default:
		return index->mask ? (uint32_t)line & index->mask : (uint32_t)(line % index->sets);
	}
}

#endif
