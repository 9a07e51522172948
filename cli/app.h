/*
 * app - runs the program to be recorded and waits for it, as a shell would.
 */
#ifndef APP_H
#define APP_H

#include <stddef.h>

struct err;

/* A variable of the environment. */
struct app_variable {
	const char *name, *value;
};

/* What the program is given beside its own environment. */
struct app_recorder {
	const char *library;                  /* absolute path of libwarpline.so */
	const char *instrumenter;             /* absolute path of warpline-instrument */
	const char *dir;                      /* absolute path of the recording to make */
	const struct app_variable *variables; /* the recorder's settings */
	size_t variable_count;
};

/*
 * Whether `name` can be started: EXIT_DONE, or EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE with a
 * sentence in *err. A name without '/' is sought in PATH.
 */
int app_check(const char *name, struct err *err);

/*
 * Run argv (NULL-terminated) under the recorder: WARPLINE_DIR is set, and the variables;
 * WARPLINE_INSTRUMENT too unless it is already; the library is added to OPENCL_LAYERS and
 * LD_PRELOAD. SIGINT and SIGQUIT are the program's own business meanwhile. Returns its exit status,
 * 128 + the signal that ended it, or ERR_IO, ERR_NOMEM.
 */
int app_run(char **argv, const struct app_recorder *recorder, struct err *err);

#endif
