/*
 * plot_places - the buffers that a launch touches: where each begins and which part of it is
 * touched.
 *
 * A place is a buffer of the launch as the kernel saw it, or the memory outside all buffers, which
 * begins at the lowest address touched. An imported recording has no buffers and therefore only the
 * latter. Local and constant memory are not included.
 */
#ifndef PLOT_PLACES_H
#define PLOT_PLACES_H

#include "address_map.h"
#include "site.h"

#include <stddef.h>

struct err;
struct recording;

/* The accesses that a picture distinguishes. */
enum plot_act { PLOT_READS, PLOT_WRITES, PLOT_ATOMICS, PLOT_ACT_COUNT };

struct plot_place {
	int64_t buffer; /* id; -1: outside all buffers */
	uint64_t base;  /* recorded address of its first byte */
	bool is_wanted;
	uint64_t counts[PLOT_ACT_COUNT];
	uint64_t low, high; /* offsets of the lowest and the highest access */
	uint64_t bits;      /* set in any offset or size */
};

/* Names of the wanted buffers: ids, or arguments of the kernel; borrowed. */
struct plot_names {
	const char *const *items;
	size_t count;
};

struct plot_places {
	struct address_map *map;
	struct plot_place *places; /* of each buffer of the recording, then of the memory outside */
	size_t count;
	struct address_range range; /* looked up last */
	struct plot_place *place;   /* its place */
};

/*
 * Prepare for a launch. `wanted` empty: all buffers. Returns 0; ERR_USAGE for a buffer that the
 * launch does not have; what address_map_create() returns. Release in every case.
 */
int plot_places_init(struct plot_places *p, const struct recording *r, size_t launch,
                     const struct plot_names *wanted, struct err *err);
void plot_places_release(struct plot_places *p);

/* Returns the place of a recorded address. */
static inline struct plot_place *plot_places_find(struct plot_places *p, uint64_t address)
{
	if (address < p->range.begin || address > p->range.last) {
		p->range = address_map_range(p->map, address);
		p->place = p->range.buffer < 0 ? &p->places[p->count - 1]
		                               : &p->places[p->range.buffer];
	}
	return p->place;
}

/* Note an access. `bytes` 0: not known. */
void plot_place_note(struct plot_place *place, uint64_t address, uint64_t bytes, enum plot_act act);

/* Call after all accesses: from now on the memory outside all buffers begins at its lowest address.
 */
void plot_places_settle(struct plot_places *p);

/*
 * Returns log2 of the bytes of an element: the largest power of two that divides all offsets and
 * sizes.
 */
uint32_t plot_place_element_shift(const struct plot_place *place);

enum plot_act plot_act_of(enum site_kind kind);

#endif
