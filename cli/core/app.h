/*
 * app - runs the program to be recorded and waits for it, as a shell would.
 */
#ifndef APP_H
#define APP_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* A variable of the environment. */
struct app_variable {
	const char *name, *value;
};

/* What to do from time to time while the program runs. */
struct app_watch {
	void (*look)(void *context); /* NULL: nothing */
	void *context;
	unsigned every_ms;
};

/* How to run a program. */
struct app_terms {
	const struct app_variable *variables; /* added to this process's environment */
	size_t variable_count;
	struct app_watch watch;
};

/* How it ended. */
struct app_end {
	int status;      /* its exit status, or 128 + the signal that ended it */
	uint64_t ran_ns; /* from its start to its end */
};

/*
 * Whether `name` can be started: EXIT_DONE, or EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE with a
 * sentence in *err. A name without '/' is looked up in PATH. If it can be started and `path` is not
 * NULL, *path gets the file's name on the heap.
 */
int app_check(const char *name, char **path, struct err *err);

/*
 * Run argv (NULL-terminated) and wait for its end. Meanwhile, SIGTERM, SIGHUP, SIGINT, SIGQUIT,
 * SIGUSR1 and SIGUSR2 to this process are passed on to the program, unless it has received them
 * too, as from a terminal's Ctrl-C; they never end this process. Returns 0 with *end set, or
 * ERR_IO.
 */
int app_run(char **argv, const struct app_terms *terms, struct app_end *end, struct err *err);

#endif
