/*
 * warpline_replay_rows - the results of a replay: tables of rows, and single requests; part of
 * warpline_replay.h.
 */
#ifndef WARPLINE_REPLAY_ROWS_H
#define WARPLINE_REPLAY_ROWS_H

#include "warpline_replay_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct warpline_replay;

/* Values are stable; new ones may be added. */
enum warpline_table {
	WARPLINE_TABLE_LAUNCH = 0,    /* one row: all SMs */
	WARPLINE_TABLE_SITES = 1,     /* accesses in the source, by number */
	WARPLINE_TABLE_LINES = 2,     /* source lines; descending by misses, then requests */
	WARPLINE_TABLE_BUFFERS = 3,   /* buffers of the recording, in the same order */
	WARPLINE_TABLE_ARGUMENTS = 4, /* arguments of the kernel, in the same order */
	WARPLINE_TABLE_SETS = 5,      /* sets of L1, in the same order */
	WARPLINE_TABLE_SMS = 6,       /* SMs that were simulated */
	WARPLINE_TABLE_L2 = 7,        /* with l2=on, one row: all slices */
	WARPLINE_TABLE_DRAM = 8       /* with l2=on, one row: all channels */
};

/* WARPLINE_read_misses, ...: see warpline_replay_columns.def. Values are stable. */
enum warpline_column {
#define WARPLINE_COLUMN(name, number, unit, text) WARPLINE_##name = (number),
#include "warpline_replay_columns.def"
#undef WARPLINE_COLUMN
	WARPLINE_COLUMN_NONE = -1
};

/* A number that is not known or does not apply. */
#define WARPLINE_UNKNOWN UINT64_MAX

/* The number of rows of a table of the last run: 0 before the first run, after a failed one, and
 * for a table that it did not make or that is unknown. LINES to SETS are made with stats=on, the
 * default. */
WARPLINE_API size_t warpline_replay_rows(const struct warpline_replay *replay,
                                         enum warpline_table table);

/* A number of a row; WARPLINE_UNKNOWN if the table has no such column or row, or the column has
 * strings. */
WARPLINE_API uint64_t warpline_replay_number(const struct warpline_replay *replay,
                                             enum warpline_table table, size_t row,
                                             enum warpline_column column);

/* A string of a row, borrowed until the next run or the end of the recording; NULL if it is not
 * known, or the column has numbers. */
WARPLINE_API const char *warpline_replay_text(const struct warpline_replay *replay,
                                              enum warpline_table table, size_t row,
                                              enum warpline_column column);

/* A column's name, unit ("text" for strings) and help: "read_misses", "requests", "reads not
 * found"; static, NULL if there is no such column. And the column of a name, or
 * WARPLINE_COLUMN_NONE. Columns are numbered from 0. */
WARPLINE_API const char *warpline_column_name(enum warpline_column column);
WARPLINE_API const char *warpline_column_unit(enum warpline_column column);
WARPLINE_API const char *warpline_column_help(enum warpline_column column);
WARPLINE_API enum warpline_column warpline_column_find(const char *name);

/* The outcome of a request. Values are stable; new ones may be added. */
enum warpline_outcome {
	WARPLINE_OUTCOME_HIT = 0,     /* of a read */
	WARPLINE_OUTCOME_PENDING = 1, /* a read of a line on its way */
	WARPLINE_OUTCOME_COLD = 2,    /* misses of reads, by class */
	WARPLINE_OUTCOME_COHERENCE = 3,
	WARPLINE_OUTCOME_CAPACITY = 4,
	WARPLINE_OUTCOME_CONFLICT = 5,
	WARPLINE_OUTCOME_SECTOR =
		6, /* the line is there, or on its way, but not all requested sectors */
	WARPLINE_OUTCOME_WRITE_HIT = 7, /* a write that found its line */
	WARPLINE_OUTCOME_WRITE = 8,     /* any other write */
	WARPLINE_OUTCOME_ATOMIC = 9,
	WARPLINE_OUTCOME_BYPASS = 10 /* a read that bypassed L1 */
};

/* What a warp instruction asks of one line. Members may be added at the end; those within
 * struct_bytes exist. */
struct warpline_request {
	size_t struct_bytes;
	uint64_t
		line_address; /* of its first byte; addresses are the replay's, the same each run */
	uint64_t group;       /* work-group, linear */
	uint64_t cycle;       /* when L1 accepted it */
	uint64_t stall_cycles; /* waiting at the port of L1 */
	uint32_t sm;
	uint32_t warp; /* of its group */
	uint32_t site;
	uint32_t set;
	uint32_t lanes;         /* with a byte in the line */
	uint32_t bytes_asked;   /* distinct bytes */
	uint32_t bytes_fetched; /* from below L1, for this request */
	int32_t buffer;         /* -1: not known */
	int32_t outcome;        /* enum warpline_outcome */
	/* Sectors of L1 that a read or a write asked for; a line without sectors counts as one. */
	uint32_t sectors_hit;          /* there or on their way */
	uint32_t sectors_missed;       /* missing; a read fetches them */
	uint32_t sectors_promoted;     /* fetched as well, without being requested */
	uint32_t sectors_promoted_hit; /* fetched so earlier, and requested for the first time */
};

/*
 * Called for each request that an L1 serves: for one SM in the order of the GPU, by ascending
 * cycle; in any order between SMs. With jobs=N from N threads, but for one SM from one at a time.
 * Not called for reads through a read-only cache. Return 0 to continue; otherwise there is no
 * further call, and warpline_replay_run() returns WARPLINE_ERROR_STOPPED, at the latest when the
 * work-groups on the GPU have ended. It must not use the replay's handle.
 */
typedef int (*warpline_request_function)(void *context, const struct warpline_request *request);

#ifdef __cplusplus
}
#endif

#endif
