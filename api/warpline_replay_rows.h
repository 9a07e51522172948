/*
 * warpline_replay_rows - what a replay found: tables of rows, and requests one by one; part of
 * warpline_replay.h.
 */
#ifndef WARPLINE_REPLAY_ROWS_H
#define WARPLINE_REPLAY_ROWS_H

#include "warpline_replay_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct warpline_replay;

/* Values are stable; further ones may come. */
enum warpline_table {
	WARPLINE_TABLE_LAUNCH = 0,    /* one row: all SMs */
	WARPLINE_TABLE_SITES = 1,     /* accesses in the source, by number */
	WARPLINE_TABLE_LINES = 2,     /* source lines, by misses, then requests, descending */
	WARPLINE_TABLE_BUFFERS = 3,   /* buffers of the recording, likewise */
	WARPLINE_TABLE_ARGUMENTS = 4, /* arguments of the kernel, likewise */
	WARPLINE_TABLE_SETS = 5,      /* sets of L1, likewise */
	WARPLINE_TABLE_SMS = 6,       /* SMs that were played */
	WARPLINE_TABLE_L2 = 7,        /* with l2=on, one row: all slices */
	WARPLINE_TABLE_DRAM = 8       /* with l2=on, one row: all channels */
};

/* WARPLINE_read_misses, ...: the rows of the table say what they are. Values are stable. */
enum warpline_column {
#define WARPLINE_COLUMN(name, number, unit, text) WARPLINE_##name = (number),
#include "warpline_replay_columns.def"
#undef WARPLINE_COLUMN
	WARPLINE_COLUMN_NONE = -1
};

/* A number that is not known or does not apply. */
#define WARPLINE_UNKNOWN UINT64_MAX

/* Rows of a table of the last run: 0 before the first, after a failed one, of a table that it did
 * not make or that this library does not know. LINES to SETS are made with stats=on, the default.
 */
WARPLINE_API size_t warpline_replay_rows(const struct warpline_replay *replay,
                                         enum warpline_table table);

/* A number of a row; WARPLINE_UNKNOWN where the column is none of its table, or of text, or there
 * is no such row. */
WARPLINE_API uint64_t warpline_replay_number(const struct warpline_replay *replay,
                                             enum warpline_table table, size_t row,
                                             enum warpline_column column);

/* A text of a row, borrowed until the next run or the end of the recording; NULL where it is not
 * known, or the column is of numbers. */
WARPLINE_API const char *warpline_replay_text(const struct warpline_replay *replay,
                                              enum warpline_table table, size_t row,
                                              enum warpline_column column);

/* "read_misses", "requests" ("text" of a text), "reads not found"; static, NULL where there is no
 * such column. And the column of a name, or WARPLINE_COLUMN_NONE. They are numbered from 0. */
WARPLINE_API const char *warpline_column_name(enum warpline_column column);
WARPLINE_API const char *warpline_column_unit(enum warpline_column column);
WARPLINE_API const char *warpline_column_help(enum warpline_column column);
WARPLINE_API enum warpline_column warpline_column_find(const char *name);

/* What became of a request. Values are stable; further ones may come. */
enum warpline_outcome {
	WARPLINE_OUTCOME_HIT = 0,     /* of a read */
	WARPLINE_OUTCOME_PENDING = 1, /* a read of a line on its way */
	WARPLINE_OUTCOME_COLD = 2,    /* misses of reads, by class */
	WARPLINE_OUTCOME_COHERENCE = 3,
	WARPLINE_OUTCOME_CAPACITY = 4,
	WARPLINE_OUTCOME_CONFLICT = 5,
	WARPLINE_OUTCOME_SECTOR =
		6, /* the line is there, or on its way, but not all that is asked for */
	WARPLINE_OUTCOME_WRITE_HIT = 7, /* a write that finds its line */
	WARPLINE_OUTCOME_WRITE = 8,     /* any other */
	WARPLINE_OUTCOME_ATOMIC = 9,
	WARPLINE_OUTCOME_BYPASS = 10 /* a read that went past L1 */
};

/* What a warp's instruction asked of one line. Members may be added at the end: those within
 * struct_bytes are there. */
struct warpline_request {
	size_t struct_bytes;
	uint64_t
		line_address; /* of its first byte; addresses are the replay's, the same each run */
	uint64_t group;       /* work-group, linear */
	uint64_t cycle;       /* in which L1 took it */
	uint64_t stall_cycles; /* that it waited at the port of L1 */
	uint32_t sm;
	uint32_t warp; /* of its group */
	uint32_t site;
	uint32_t set;
	uint32_t lanes;         /* with a byte in the line */
	uint32_t bytes_asked;   /* distinct bytes */
	uint32_t bytes_fetched; /* from below L1, for this request */
	int32_t buffer;         /* -1: not known */
	int32_t outcome;        /* enum warpline_outcome */
	/* Sectors of L1 that a read or a write asked for; without sectors a line is one. */
	uint32_t sectors_hit;          /* there or on their way, */
	uint32_t sectors_missed;       /* or not; of a read, fetched */
	uint32_t sectors_promoted;     /* fetched beside these, unasked */
	uint32_t sectors_promoted_hit; /* that had been fetched so, asked for the first time */
};

/*
 * Called for each request that an L1 serves: of one SM in the order of the GPU, by ascending cycle;
 * those of different SMs come in any order. With jobs=N from N threads, but of one SM from one at a
 * time. Reads that go through a read-only cache are not told. Return 0 to go on; else
 * warpline_replay_run() returns WARPLINE_ERROR_STOPPED, after no further call and, at the latest,
 * when the work-groups that are on the GPU have ended. It must not use the replay's handle.
 */
typedef int (*warpline_request_function)(void *context, const struct warpline_request *request);

#ifdef __cplusplus
}
#endif

#endif
