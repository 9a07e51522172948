/*
 * mock_probe - what the probes of a kernel on the mock device do: words into places and chunks, as
 * probe_abi.h says, written for plainness and one work-item at a time.
 */
#ifndef MOCK_PROBE_H
#define MOCK_PROBE_H

#include "probe_abi.h"

#include <stdbool.h>

/* A work-item at work. */
struct mock_probe {
	struct probe_header *header;
	uint32_t lanes;
	uint64_t group;
	uint32_t item;   /* linear local id */
	uint32_t order;  /* chunks that it has had */
	uint64_t *words; /* its first word in its place or chunk; NULL: none */
	uint32_t step;   /* from one to the next */
	uint32_t room;   /* words there */
	uint32_t used;   /* of these, written */
	bool is_unselected;
};

/* Which one; its group has `items`, a full one `full_items`: only the last may have fewer. */
struct mock_item {
	uint64_t group;
	uint32_t item, items, full_items;
};

void mock_probe_begin(struct mock_probe *p, struct probe_header *header, uint32_t lanes,
                      const struct mock_item *item);

/* Write one word, a record of its own. */
void mock_probe_write(struct mock_probe *p, uint64_t word);

#endif
