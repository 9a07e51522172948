/*
 * parts - what warpline-instrument was asked, for each of the parts that the program is linked of.
 *
 * A part begins with its --source; the other settings of parts (PART_SETTING in settings.def) are
 * of the part that was begun last. All other settings are the whole program's.
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
	struct settings whole; /* with the first part's own, and the options of all */
	struct array list;     /* of struct settings: a part's own and the whole's */
	char *options;         /* whole.options where parts differ */
	struct array
		macros; /* of struct source_macros *, of those whose device's macros are given */
};

/* No parts yet. Release with parts_release(). */
void parts_init(struct parts *p);
void parts_release(struct parts *p);

/* The settings of the part that an option belongs to, begun if need be. NULL: ERR_NOMEM, ERR_LIMIT.
 */
struct settings *parts_last(struct parts *p, struct err *err);

/* The same for --source, which begins another part when the last one has a source. */
struct settings *parts_begin(struct parts *p, struct err *err);

/*
 * After the last option: complete each part from the whole and the whole from the parts. Its
 * options are those flags that every part has, and the greatest -cl-std. Returns 0, ERR_USAGE,
 * ERR_NOMEM or ERR_LIMIT.
 */
int parts_settle(struct parts *p, struct err *err);

/*
 * Read what the device's macros mean for each part, and write the names of which nothing is known
 * into whole.names, if that is asked for. *is_known becomes false when a device has not been asked
 * for anything yet. Returns 0 or the errors of source_macros_read() and file_write().
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
