/*
 * verify - checks that a recording is complete and consistent: every checksum, count and invariant
 * of trace/FORMAT.md that can be checked without the program.
 *
 * Programs' texts and bypass lists in recordings before version 6 have no checksum, so it can only
 * check that they exist; a remark says so. Memory: one launch file's reader, and the findings.
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

/* A finding, which owns its strings. */
struct verify_finding {
	enum verify_gravity gravity;
	char *where; /* "launch-000003.wll", "manifest.jsonl", "launch 3" */
	char *what;  /* a sentence without the full stop */
};

struct verify {
	const struct recording *recording; /* NULL: the manifest cannot be read */
	struct work_watch *watch;          /* counts the checked accesses; may be NULL */
	struct array findings;             /* struct verify_finding, in order */
	uint64_t counts[VERIFY_GRAVITY_COUNT];
	/* What was checked. */
	uint64_t files, bytes, groups, accesses;
};

/* Begin. Release in every case. */
void verify_init(struct verify *v);
void verify_release(struct verify *v);

/* Add a finding. After VERIFY_FINDINGS_MAX findings it is only counted. Returns 0 or ERR_NOMEM. */
int verify_add(struct verify *v, enum verify_gravity gravity, struct err *err, const char *where,
               const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Check v->recording. Returns 0, whatever is found, or ERR_NOMEM. */
int verify_recording(struct verify *v, struct err *err);

/* Returns "damage" or the like; static storage. */
const char *verify_gravity_name(enum verify_gravity gravity);

#endif
