/*
 * record_environment - what a program's environment must have for the program to be recorded.
 *
 * Made from the options and from the environment of this process, to whose OPENCL_LAYERS and
 * LD_PRELOAD the library is added unless it is there.
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
 * ERR_USAGE; ERR_IO when parts of Warpline are missing or lie where no program can load them from;
 * ERR_NOMEM.
 */
int record_environment_init(struct record_environment *e, const struct record_options *o,
                            struct err *err);

/*
 * Add what `path` needs when it is a CUDA program (o->cuda says whether and how): CUDA's libraries
 * of ours before the recorder, or in its place the recorder of programs on GPUs. Says on stderr
 * what hinders. Returns 0; ERR_USAGE for a version of CUDA that is not there; ERR_IO when parts are
 * missing; ERR_NOMEM.
 */
int record_environment_add_cuda(struct record_environment *e, const struct record_options *o,
                                const char *path, struct err *err);

/* Let the recorders write to the file `path` (borrowed) what `warpline record` is to know. */
void record_environment_tell(struct record_environment *e, const char *path);

/* Free what it owns. Accepts a zeroed struct. */
void record_environment_release(struct record_environment *e);

#endif
