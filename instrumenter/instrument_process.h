/*
 * instrument_process - runs warpline-instrument as a process of its own.
 *
 * The compiler never enters the application's process: two versions of LLVM in one process crash
 * it. The child does not record itself, its input is empty, and nothing it prints reaches the
 * application's output. The application cannot see it among its children (hidden_child.h).
 */
#ifndef INSTRUMENT_PROCESS_H
#define INSTRUMENT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* A part of the program. Texts, all borrowed. */
struct instrument_part {
#define PART_REQUEST(field, option, is_key, sentence) const char *field; /* sentence */
#include "instrument_request.def"
#undef PART_REQUEST
	uint64_t content[2]; /* hash of the text and the headers that came with it */
};

/* Texts, all borrowed. */
struct instrument_request {
	const char *instrumenter; /* path of the program */
	uint64_t limit_ns;  /* of its time; 0: 60 s, and two more for each KiB of the parts' sources
	                     */
	const char *folder; /* to run it in, if parts read files; NULL: any */
	const struct instrument_part *parts;
	size_t part_count;
#define REQUEST(field, option, is_key, sentence) const char *field; /* sentence */
#include "instrument_request.def"
#undef REQUEST
};

/*
 * Run it and wait for its end, not for that of what it may have started. Returns 0 when its files
 * were made; ERR_SUBPROCESS with the child's first line of complaint or how it ended; ERR_LIMIT
 * when its time was over and it was killed with its process group; ERR_IO, ERR_NOMEM. Works when
 * the application reaps or ignores its children.
 */
int instrument_process_run(const struct instrument_request *request, struct err *err);

/*
 * The program to run when the settings name none: beside this library, else in .. or ../bin from
 * there, else looked for in PATH by its name. On the heap; NULL when out of memory.
 */
char *instrument_process_default(struct err *err);

#endif
