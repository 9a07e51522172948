/*
 * command_chain - every command that reads a recording, run in this process.
 *
 * As main() would run it, with standard output and the messages kept, so that thousands can be
 * tried. Commands write nothing but standard output, or a folder that is removed again.
 */
#ifndef COMMAND_CHAIN_H
#define COMMAND_CHAIN_H

#include <stddef.h>
#include <stdint.h>

/* What became of one. */
struct command_outcome {
	const char *words; /* of the command, "@" in the place of the recording */
	int status;        /* as main() returns it */
	uint64_t digest;   /* of what it printed and wrote */
	char said[512];    /* the beginning of its messages */
};

/* How many commands there are. */
size_t command_chain_count(void);

/*
 * Run number `i` on the recording `dir`; `good` is another one, which commands of two read as well,
 * and `out` a path where nothing is.
 */
void command_chain_run(size_t i, const char *dir, const char *good, const char *out,
                       struct command_outcome *outcome);

#endif
