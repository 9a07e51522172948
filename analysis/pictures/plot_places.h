/*
 * plot_places - the buffers that a launch touches: where each begins, and what of it is touched.
 *
 * A place is a buffer of the launch as the kernel saw it, or the memory outside all buffers, which
 * begins at the lowest address touched. A recording that was imported has no buffers, and so one
 * such place. Local and constant memory are not included.
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
	int64_t buffer; /* id, or -1: in none */
	uint64_t base;  /* recorded address of its first byte */
	bool is_wanted;
	uint64_t counts[PLOT_ACT_COUNT];
	uint64_t low, high; /* offsets of the lowest and the highest access */
	uint64_t bits;      /* set in any offset or size */
};

/* Names of buffers that are wanted: ids, or arguments of the kernel; borrowed. */
struct plot_names {
	const char *const *items;
	size_t count;
};

struct plot_places {
	struct address_map *map;
	struct plot_place *places; /* of each buffer of the recording, then what lies in none */
	size_t count;
	struct address_range range; /* looked up last */
	struct plot_place *place;   /* which that is */
};

/*
 * Prepare for a launch. The names are those of buffers by id or by an argument of the kernel;
 * empty: all. Returns 0; ERR_USAGE for one that the launch does not have; what address_map_create()
 * returns. Release in every case.
 */
int plot_places_init(struct plot_places *p, const struct recording *r, size_t launch,
                     const struct plot_names *wanted, struct err *err);
void plot_places_release(struct plot_places *p);

/* The place of a recorded address. */
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

/* After all accesses: the memory outside all buffers begins at its lowest address from now on. */
void plot_places_settle(struct plot_places *p);

/*
 * log2 of the bytes of an element: the largest power of two of which all offsets and sizes are
 * multiples.
 */
uint32_t plot_place_element_shift(const struct plot_place *place);

enum plot_act plot_act_of(enum site_kind kind);

#endif
