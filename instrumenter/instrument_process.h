/*
 * instrument_process - runs warpline-instrument as a process of its own.
 *
 * The compiler never enters the application's process: two versions of LLVM in one process crash
 * it. The child does not record itself, its input is empty, and nothing that it prints reaches the
 * application's output. The application does not see it among its children (hidden_child.h).
 */
#ifndef INSTRUMENT_PROCESS_H
#define INSTRUMENT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* A part of the program. All strings are borrowed. */
struct instrument_part {
#define PART_REQUEST(field, option, is_key, sentence) const char *field; /* sentence */
#include "instrument_request.def"
#undef PART_REQUEST
	uint64_t content[2]; /* hash of the source and the headers that came with it */
};

/* All strings are borrowed. */
struct instrument_request {
	const char *instrumenter; /* path of the program */
	uint64_t limit_ns;  /* its time limit; 0: 60 s, and two more for each KiB of the parts'
	                       sources */
	const char *folder; /* working directory, if parts read files; NULL: any */
	const struct instrument_part *parts;
	size_t part_count;
#define REQUEST(field, option, is_key, sentence) const char *field; /* sentence */
#include "instrument_request.def"
#undef REQUEST
};

/*
 * Run it and wait until it ends, not until what it may have started ends. Returns 0 when its files
 * were written; ERR_SUBPROCESS with the first line of its error output or how it ended; ERR_LIMIT
 * when its time was up and it was killed with its process group; ERR_IO, ERR_NOMEM. Works when the
 * application reaps or ignores its children.
 */
int instrument_process_run(const struct instrument_request *request, struct err *err);

/*
 * The program to run when the settings name none: beside this library, else in .. or ../bin from
 * there, else searched for in PATH. On the heap; NULL when out of memory.
 */
char *instrument_process_default(struct err *err);

#endif
