/*
 * bypass_progress - how far `warpline bypass` is, as progress_line.h shows it.
 *
 * How many replays a search takes nobody knows before it ends: there is no time left to tell.
 */
#ifndef BYPASS_PROGRESS_H
#define BYPASS_PROGRESS_H

#include "progress_line.h"

#include <stdint.h>

/* So many launches have been replayed, and this kernel is at work. `line` may be NULL. One thread
 * at a time. */
void bypass_progress_tell(struct progress_line *line, const char *kernel, uint64_t replays);

#endif
