/*
 * diff_compare - compares two reports (report_data.h), A and B: of two recordings, or of one on two
 * GPUs.
 *
 * Kernels are matched by name; if one remains on each side, it was renamed, and these two match.
 * Source lines are matched within a pair of kernels by their text without blanks, lines of one text
 * in the order of their numbers; then the lines between the same two matched lines, if there are
 * equally many on both sides: they were edited. Without source, lines are matched by file and
 * number. Buffers are matched by arguments and size, then by arguments, then by number and size.
 * The first replayed launch of a kernel is matched with the first, and so on. Items without a match
 * are new in B, or gone.
 */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct report_data;

enum { DIFF_A, DIFF_B, DIFF_SIDES };

enum diff_metric {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) DIFF_##name,
#include "diff_metrics.def"
#undef DIFF_METRIC
	DIFF_METRICS
};

enum diff_section {
#define DIFF_SECTION(name, text) DIFF_SECTION_##name,
#include "diff_sections.def"
#undef DIFF_SECTION
	DIFF_SECTIONS
};

struct diff_counts {
	uint64_t of[DIFF_METRICS];
};

struct diff_row {
	/* In A and in B; NULL where it is missing. Borrowed from the reports. */
	const char *kernel[DIFF_SIDES]; /* of kernels, lines and launches: the name */
	const void *item[DIFF_SIDES];   /* struct report_line, report_buffer, report_launch; of a
	                                   kernel the first report_kernel of the name */
	uint64_t launches[DIFF_SIDES];  /* of kernels and the total: replayed launches */
	struct diff_counts counts[DIFF_SIDES];
	double weight; /* the greatest of its changes of requests, misses, bytes from L2 and of
	                  DRAM, and bank conflicts, each as a share of the total of the side that
	                  has more */
};

struct diff_rows {
	struct diff_row *list; /* by descending weight */
	size_t count;
	size_t changed; /* changed rows; they come first */
};

struct diff {
	const struct report_data *side[DIFF_SIDES]; /* borrowed */
	struct diff_row total;
	struct diff_rows sections[DIFF_SECTIONS];
};

/* Compare. Returns 0 or ERR_NOMEM; release in every case. */
int diff_make(struct diff *d, const struct report_data *a, const struct report_data *b,
              struct err *err);
void diff_release(struct diff *d);

/* Whether a row is on both sides with the same counts. */
bool diff_row_is_same(const struct diff_row *row);

/* Whether nothing differs. */
bool diff_is_same(const struct diff *d);

/* "misses", as in options and JSON; "bytes from L2", as in sentences, in the words of the
 * recordings' language; and whether rows of a section have it. Static storage. */
const char *diff_metric_name(enum diff_metric m);
const char *diff_title(const struct diff *d, enum diff_metric m);
bool diff_metric_is_of(enum diff_metric m, enum diff_section section);

#endif
