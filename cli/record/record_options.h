/*
 * record_options - the options of `warpline record` and `warpline env`, and the recorder's settings
 * made from them.
 *
 * The recorder's own table (recorder_settings.def) makes the options, their help and their
 * checks. A setting whose option is not given may be in the environment; it is checked too.
 */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include "app.h"
#include "options.h"

#include <stdbool.h>
#include <stdint.h>

struct err;

struct record_options {
	const char *output; /* NULL: the default */
	bool is_count;      /* --count */
#define SETTING(kind, field, variable, fallback, text)
#define OPTION(kind, field, variable, fallback, option, argument, text) const char *field;
#include "recorder_settings.def"
#undef SETTING
#undef OPTION
	/* of record only: */
	uint32_t cuda;        /* enum cuda_way */
	const char *cuda_gpu; /* NULL: the default */
	bool is_cost;         /* --explain-cost */
	bool is_quiet, is_verbose;
};

enum {
#define SETTING(kind, field, variable, fallback, text)
#define OPTION(kind, field, variable, fallback, option, argument, text) RECORD_OPTION_##field,
#include "recorder_settings.def"
#undef SETTING
#undef OPTION
	RECORD_OPTION_COUNT
};

/* The environment variables for the recorder. */
struct recorder_variables {
	struct app_variable items[RECORD_OPTION_COUNT];
	size_t count;
	char *groups, *bypass, *apply; /* the values of these options, resolved */
};

/*
 * Check the options and the environment, and fill *v; release it in either case, and keep *o until
 * then. Returns 0; ERR_USAGE with a sentence that names the option or the variable and what is
 * expected; ERR_NOMEM.
 */
int recorder_variables_init(struct recorder_variables *v, const struct record_options *o,
                            struct err *err);

/*
 * The value of --groups for the recorder, which knows ranges and steps (group_selection.h) but no
 * GPUs: each part `sm:S@GPU` of `spec` becomes `S../SMs`, the groups that round-robin dispatch
 * places first on SM S of that GPU (a name of the catalogue or a path). Other parts stay,
 * unchecked. On the heap. NULL with ERR_USAGE and "WHAT: ..." for an unknown SM or GPU, an error of
 * gpu_catalogue_load(), or ERR_NOMEM.
 */
char *record_options_groups(const char *spec, const char *what, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void recorder_variables_release(struct recorder_variables *v);

/* Warn on stderr, as `command`, of environment variables that look like ours but are not. */
void record_options_warn(const char *command);

#endif
