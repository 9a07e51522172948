/*
 * launch_format - the fixed-size parts of a launch file, and its limits; private to trace/.
 * FORMAT.md, section "Launch file", is the specification.
 */
#ifndef LAUNCH_FORMAT_H
#define LAUNCH_FORMAT_H

#include "launch_shape.h"
#include "launch_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Add every number of *from to *to. Returns false if a sum does not fit; it is then 2^64 - 1. */
static inline bool launch_totals_add(struct launch_totals *to, const struct launch_totals *from)
{
	bool fits = true;

#define TOTAL(name)                                                                                \
	if (__builtin_add_overflow(to->name, from->name, &to->name)) {                             \
		to->name = UINT64_MAX;                                                             \
		fits = false;                                                                      \
	}
#include "launch_totals.def"
#undef TOTAL
	return fits;
}

struct err;
struct kernel_table;

#define LAUNCH_VERSION        4u
#define LAUNCH_VERSION_OLDEST 2u /* that can be read; without guides */
#define LAUNCH_VERSION_GUIDES 3u
#define LAUNCH_VERSION_PARTS  4u /* groups may span several chunks; the index has their sums */

#define LAUNCH_HEADER_BYTES       120u
#define LAUNCH_CHUNK_HEADER_BYTES 136u
#define LAUNCH_TRAILER_BYTES      120u
#define BUNDLE_HEAD_BYTES         56u
#define LAUNCH_INDEX_MAGIC        "WLINDEX\n"
#define LAUNCH_INDEX_MAGIC_BYTES  8u

#define LAUNCH_GROUPS_MAX        (UINT64_C(1) << 32) /* groups of a launch */
#define LAUNCH_OLD_EVENTS_MAX    (UINT64_C(1) << 22) /* of one group, in files without parts */
#define LAUNCH_CHUNK_GROUPS_MAX  (UINT32_C(1) << 12)
#define LAUNCH_CHUNK_ITEMS_MAX   (UINT32_C(1) << 20)
#define LAUNCH_BUNDLE_MAX        4096u /* launches of a bundle */
#define LAUNCH_BUNDLE_EVENTS_MAX (UINT64_C(1) << 17)
#define LAUNCH_BUNDLE_ITEMS_MAX  (UINT32_C(1) << 18)
#define LAUNCH_BUNDLE_FACTS_MAX  (UINT32_C(1) << 24) /* bytes */
#define LAUNCH_ZSTD_RATIO_MAX    32768u              /* zstd's own bound: 128 KiB from 4 bytes */

enum launch_column {
#define COLUMN(NAME, name) COLUMN_##NAME,
#include "launch_columns.def"
#undef COLUMN
	COLUMN_COUNT
};

struct launch_header {
	uint32_t version; /* of a file that was read; LAUNCH_VERSION is written */
	struct launch_shape shape;
	uint32_t site_count;
	uint32_t loop_count;
	uint64_t table_checksum; /* of launch_table_checksum() */
	uint64_t checksum;       /* its own; set by get and put */
};

struct launch_chunk_header {
	uint32_t groups;
	uint32_t items;
	uint32_t guide_bytes;        /* of the guides, which precede the columns */
	bool goes_on;                /* its only group continues in the next chunk */
	struct launch_totals totals; /* events, also by kind; the members about groups and the file
	                                are not used */
	uint64_t checksum;           /* set by get and put */
	uint32_t raw_bytes[COLUMN_COUNT];
	uint32_t packed_bytes[COLUMN_COUNT];
};

struct launch_trailer {
	uint64_t index_offset;
	uint64_t index_bytes; /* with its magic */
	uint64_t index_raw_bytes;
	uint64_t index_checksum;
	bool is_whole;
	bool is_partial; /* groups missing from the file were not selected */
	uint32_t chunks;
	struct launch_totals totals;
};

/* A checksum in the file's byte order. */
#define LAUNCH_SUM_BYTES 8u
void launch_sum_put(unsigned char *at, uint64_t sum);
uint64_t launch_sum_get(const unsigned char *at);

/* The LAUNCH_INDEX_MAGIC_BYTES bytes that begin an index. */
void launch_index_magic_put(unsigned char *at);

/* Returns a checksum of the facts of a table on which decoding depends. */
uint64_t launch_table_checksum(const struct kernel_table *t);

void launch_header_put(unsigned char bytes[LAUNCH_HEADER_BYTES], struct launch_header *h);

/* Returns 0, ERR_FORMAT or ERR_VERSION; `name` is the file's, for messages. */
int launch_header_get(struct launch_header *h, const unsigned char bytes[LAUNCH_HEADER_BYTES],
                      const char *name, struct err *err);

/* The checksum covers the guides and `packed` columns that follow, `length` bytes. */
void launch_chunk_header_put(unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES],
                             struct launch_chunk_header *h, const void *packed, size_t length);

/* Checks the magic and every limit, not the checksum; `file` is the file's header. */
int launch_chunk_header_get(struct launch_chunk_header *h, const struct launch_header *file,
                            const unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES], const char *name,
                            uint64_t offset, struct err *err);

/* Bytes of the guides and all packed columns. */
uint64_t launch_chunk_packed_bytes(const struct launch_chunk_header *h);

/* Whether the checksum in a chunk's header is right. */
bool launch_chunk_is_intact(const unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES],
                            const void *packed, size_t length);

/* The head of a bundle; its facts and its chunk follow (FORMAT.md, section "Bundles"). */
struct bundle_head {
	uint32_t kernel;
	uint32_t launches;
	uint32_t raw_bytes, packed_bytes; /* of the facts */
	uint32_t chunk_bytes;             /* 0: there is none */
	uint64_t table_checksum;
	uint64_t chunk_checksum; /* in the chunk's header */
	uint64_t checksum;       /* of the head and the facts; set by get and put */
};

/* `facts` are packed_bytes. */
void bundle_head_put(unsigned char bytes[BUNDLE_HEAD_BYTES], struct bundle_head *h,
                     const void *facts);

/* Checks the magic and every limit, not the checksum. */
int bundle_head_get(struct bundle_head *h, const unsigned char bytes[BUNDLE_HEAD_BYTES],
                    const char *name, uint64_t offset, struct err *err);

/* Whether the checksum in a bundle's head is right. */
bool bundle_head_is_intact(const unsigned char bytes[BUNDLE_HEAD_BYTES], const void *facts,
                           size_t length);

/* The checksum in the header of a chunk. */
uint64_t launch_chunk_checksum(const unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES]);

/* `file` is the header of the file. Sets t->totals.file_sum. */
void launch_trailer_put(unsigned char bytes[LAUNCH_TRAILER_BYTES], struct launch_trailer *t,
                        const struct launch_header *file);

/*
 * If the file was never closed, so that its last bytes are not a trailer, *is_there is false and
 * the result 0. `length` is that of the file, `file` its header.
 */
int launch_trailer_get(struct launch_trailer *t, const unsigned char bytes[LAUNCH_TRAILER_BYTES],
                       const struct launch_header *file, const char *name, uint64_t length,
                       bool *is_there, struct err *err);

#endif
