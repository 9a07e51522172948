/*
 * mock_probe - what the probes of a kernel on the mock device do: words into chunks or slots, as
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
	uint64_t *words; /* its first word in its chunk or slot; NULL: none */
	uint32_t used;   /* words written there */
	bool is_unselected;
};

void mock_probe_begin(struct mock_probe *p, struct probe_header *header, uint32_t lanes,
                      uint64_t group, uint32_t item);

/* Write one word, a record of its own. */
void mock_probe_write(struct mock_probe *p, uint64_t word);

#endif
