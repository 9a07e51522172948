/*
 * address_use_private - what is inside struct address_use (private to this room).
 */
#ifndef ADDRESS_USE_PRIVATE_H
#define ADDRESS_USE_PRIVATE_H

#include "address_use.h"
#include "use_table.h"

struct use_rows {
	struct address_use_row *sites;
	struct address_use_row *buffers; /* the first is of none */
	struct address_use_row total;
};

/* What one SM tells. */
struct use_sm {
	struct l1_observer observer; /* its context is this */
	const struct address_use *use;
	struct use_rows rows;
	struct use_table lines;
	uint64_t dropped; /* stays that `lines` does not have */
	bool is_failed;
};

struct address_use {
	struct address_use_setup setup;
	struct use_sm **sms; /* NULL: it was not played */
	struct use_rows sum;
	uint64_t dropped;
	bool is_failed;
};

#endif
