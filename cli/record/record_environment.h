/*
 * record_environment - the environment variables with which a program is recorded.
 *
 * Made from the options and the environment of this process; the recorder is added to OPENCL_LAYERS
 * and LD_PRELOAD unless it is set there already.
 */
#ifndef RECORD_ENVIRONMENT_H
#define RECORD_ENVIRONMENT_H

#include "cuda_environment.h"
#include "record_options.h"

#define RECORD_ENVIRONMENT_LIMIT (RECORD_OPTION_COUNT + 5 + CUDA_ENVIRONMENT_ITEMS)

struct record_environment {
	struct recorder_variables settings;
	char *pattern; /* of the recording's name, absolute (recording_name.h) */
	char *instrumenter, *layers, *preload;
	struct cuda_environment cuda; /* empty: not a CUDA program, or on its GPU */
	struct app_variable items[RECORD_ENVIRONMENT_LIMIT]; /* borrowed from above */
	size_t count;
};

/*
 * Check the options and fill *e; release it in either case, and keep *o until then. Returns 0;
 * ERR_USAGE; ERR_IO if parts of Warpline are missing or in a place from which programs cannot load
 * them; ERR_NOMEM.
 */
int record_environment_init(struct record_environment *e, const struct record_options *o,
                            struct err *err);

/*
 * Add what `path` needs if it is a CUDA program, by o->cuda: our CUDA libraries before the
 * recorder, or the recorder for programs on GPUs in its place. Obstacles are reported on stderr.
 * Returns 0; ERR_USAGE for a version of CUDA that we do not have; ERR_IO if parts are missing;
 * ERR_NOMEM.
 */
int record_environment_add_cuda(struct record_environment *e, const struct record_options *o,
                                const char *path, struct err *err);

/* Make the recorders report to `warpline record` in the file `path` (borrowed). */
void record_environment_set_report(struct record_environment *e, const char *path);

/* Free what it owns. Accepts a zeroed struct. */
void record_environment_release(struct record_environment *e);

#endif
