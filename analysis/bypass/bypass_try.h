/*
 * bypass_try - makes and measures each kind of bypass list for a kernel, and finds the best.
 */
#ifndef BYPASS_TRY_H
#define BYPASS_TRY_H

#include "bypass_choice.h"
#include "bypass_list.h"
#include "bypass_run.h"
#include "bypass_search.h"
#include "warp_curve.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

enum bypass_way {
#define BYPASS_WAY(name, text) BYPASS_WAY_##name,
#include "bypass_ways.def"
#undef BYPASS_WAY
	BYPASS_WAYS
};

enum bypass_row {
#define BYPASS_ROW(NAME, word, way, text) BYPASS_ROW_##NAME,
#include "bypass_rows.def"
#undef BYPASS_ROW
	BYPASS_ROWS
};

/* Returns "cache-all", ...; static storage. */
const char *bypass_row_word(enum bypass_row row);

/* The lists to make and measure. */
struct bypass_wish {
	bool is_wanted[BYPASS_WAYS];
	enum bypass_objective objective;
	const struct bypass_list *given; /* borrowed; NULL: none */
	bool is_recorded;                /* `given` is the recording's own */
	uint64_t top;                    /* maximum number of memory lines to keep */
	uint32_t limit;                  /* maximum number of lists that a search measures */
};

struct bypass_entry {
	bool is_there;
	struct bypass_list list;
	struct bypass_measure measure;
};

/* A search and its candidates. */
struct bypass_searched {
	struct bypass_candidate *candidates;
	size_t count;
	struct bypass_found found;
};

struct bypass_try {
	struct bypass_kernel kernel;
	struct bypass_entry entries[BYPASS_ROWS];
	struct bypass_searched sites, buffers;
	struct address_use_row *uses;   /* by site; NULL: no launch was replayed */
	struct address_use_sum poor[2]; /* over the lines named by address and address-merged */
	struct address_use_line *lines; /* of `address`: the lines loaded most often */
	size_t line_count;
	uint64_t dropped; /* stays in L1 of lines that were not counted for lack of room */
	struct warp_curve warps, hybrid;
	enum bypass_row best; /* the one to apply */
	bool is_by_buffer;    /* `buffers` are buffers, not arguments */
};

/*
 * Make and measure the lists of a kernel; t->kernel is from bypass_run_kernels(), the rest is
 * zeroed. A kernel of which the GPU can hold no launch is not replayed; with `is_one` that is an
 * error. Returns 0 or what replays, searches and lists return. Release in every case.
 */
int bypass_try_play(struct bypass_try *t, const struct bypass_wish *wish, bool is_one,
                    struct err *err);
void bypass_try_release(struct bypass_try *t);

/* Whether the kernel was replayed, and whether any list is worth applying. */
bool bypass_try_was_played(const struct bypass_try *t);
bool bypass_try_gains(const struct bypass_try *t);

/* Whether the best list makes all reads of a site bypass L1 because of a rule for the site. */
bool bypass_try_bypasses(const struct bypass_try *t, size_t site);

#endif
