/*
 * verify - whether a recording is whole and contradicts itself nowhere: every checksum, count and
 * invariant of trace/FORMAT.md that can be looked at without the program.
 *
 * Of the texts of programs and of bypass lists of recordings before version 6 it can only tell that
 * they are there: they have no checksum, which a remark says. Memory: one launch file's reader, and
 * what was found.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "array.h"

#include <stdint.h>

struct err;
struct recording;
struct work_watch;

enum verify_gravity {
#define VERIFY_GRAVITY(NAME, name, heading) VERIFY_##NAME,
#include "verify_gravities.def"
#undef VERIFY_GRAVITY
	VERIFY_GRAVITY_COUNT
};

enum { VERIFY_FINDINGS_MAX = 1 << 16 };

/* Something found; the texts are its own. */
struct verify_finding {
	enum verify_gravity gravity;
	char *where; /* "launch-000003.wll", "manifest.jsonl", "launch 3" */
	char *what;  /* a sentence without its end */
};

struct verify {
	const struct recording *recording; /* NULL: the manifest cannot be read */
	struct work_watch *watch;          /* counts the accesses that were checked; may be NULL */
	struct array findings;             /* struct verify_finding, as they were found */
	uint64_t counts[VERIFY_GRAVITY_COUNT];
	/* What was looked at. */
	uint64_t files, bytes, groups, accesses;
};

/* Begin. Release in every case. */
void verify_init(struct verify *v);
void verify_release(struct verify *v);

/* Add a finding. Behind VERIFY_FINDINGS_MAX it is only counted. Returns 0 or ERR_NOMEM. */
int verify_add(struct verify *v, enum verify_gravity gravity, struct err *err, const char *where,
               const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Look at all of v->recording. Returns 0, whatever is found, or ERR_NOMEM. */
int verify_recording(struct verify *v, struct err *err);

/* "damage", and so on; static storage. */
const char *verify_gravity_name(enum verify_gravity gravity);

#endif
