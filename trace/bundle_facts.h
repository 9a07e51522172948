/*
 * bundle_facts - the data of a bundle's launches except their events, as bytes; private to trace/.
 *
 * One number after another, as varints (FORMAT.md, section "Bundles"). Shapes and lists of
 * arguments are written once; later launches refer to them by how many lists ago they were new.
 */
#ifndef BUNDLE_FACTS_H
#define BUNDLE_FACTS_H

#include "array.h"
#include "recorded.h"
#include "str.h"

struct err;

/* Facts being written. */
struct bundle_facts {
	struct str bytes;
	struct array shapes;    /* struct bundle_shape */
	struct array lists;     /* struct bundle_list */
	struct array arguments; /* struct recorded_argument, of all lists */
	uint64_t expected;      /* number of the next launch, if it follows the last one */
};

/* Begin. Allocates nothing. */
void bundle_facts_init(struct bundle_facts *f);
void bundle_facts_release(struct bundle_facts *f);

/* Forget the launches and keep the memory. */
void bundle_facts_clear(struct bundle_facts *f);

/*
 * Add a whole launch that is TRACED or COUNTED; is_partial: not all of its groups were selected.
 * Returns 0, ERR_NOMEM, or ERR_LIMIT; after a failure the facts are invalid.
 */
int bundle_facts_add(struct bundle_facts *f, const struct recorded_launch *l, bool is_partial,
                     struct err *err);

/* Memory that the launches of a bundle share. */
struct bundle_shared {
	struct recorded_argument *arguments;
	uint64_t *counts;
	char *groups_selected;
};

/* What the manifest says of a bundle and its recording. */
struct bundle_terms {
	const struct kernel_table *table;
	uint64_t buffers; /* of the recording */
	size_t launches;  /* of the bundle */
};

/*
 * Read `length` bytes, followed by VARINT_BYTES_MAX zeros, into zeroed launches[terms->launches]:
 * number, shape, local_bytes, arguments, fate, device_ns, device_bytes, counts, totals except those
 * of the file, and `place`, the first of its groups among those of the bundle. Fills *shared, which
 * is released with bundle_shared_release() also after a failure. Returns 0, ERR_NOMEM, or
 * ERR_FORMAT with a sentence about what is wrong.
 */
int bundle_facts_read(struct recorded_launch *launches, struct bundle_shared *shared,
                      const struct bundle_terms *terms, const unsigned char *bytes, size_t length,
                      struct err *err);

void bundle_shared_release(struct bundle_shared *shared);

#endif
