/*
 * parts - the settings of warpline-instrument for each part that the program is linked from.
 *
 * A part begins with its --source; the other settings of parts (PART_SETTING in settings.def) apply
 * to the latest part. All other settings apply to the whole program.
 */
#ifndef PARTS_H
#define PARTS_H

#include "array.h"
#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct program;

struct parts {
	struct settings whole; /* with the settings of the first part, and the options of all */
	struct array list;     /* of struct settings: a part's own and the whole's */
	char *options;         /* whole.options when parts differ */
	struct array macros;   /* of struct source_macros *, for the parts whose device's macros are
	                          given */
};

/* Start with no parts. Release with parts_release(). */
void parts_init(struct parts *p);
void parts_release(struct parts *p);

/* The settings of the part that an option belongs to, begun if necessary. NULL with ERR_NOMEM or
 * ERR_LIMIT. */
struct settings *parts_last(struct parts *p, struct err *err);

/* For --source: as above, but begins another part when the last one has a source. */
struct settings *parts_begin(struct parts *p, struct err *err);

/*
 * After the last option: complete each part from the whole, and the whole from the parts. The
 * whole's options are the flags that every part has, and the greatest -cl-std. Returns 0,
 * ERR_USAGE, ERR_NOMEM or ERR_LIMIT.
 */
int parts_settle(struct parts *p, struct err *err);

/*
 * Read what the device's macros mean for each part, and write the unknown names to whole.names, if
 * requested. *is_known becomes false when some device has not been asked anything yet. Returns 0 or
 * the errors of source_macros_read() and file_write().
 */
int parts_read_macros(struct parts *p, bool *is_known, struct err *err);

/* Part i, i < p->list.count. */
const struct settings *parts_at(const struct parts *p, size_t i);

/*
 * Compile each part and link them into program->module. Returns 0, the errors of front_end_run(),
 * or ERR_UNSUPPORTED with the linker's message.
 */
int parts_link(const struct parts *p, struct program *program, struct err *err);

#endif
