/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_progress.h"

#include "shape_text.h"

void bypass_progress_tell(struct progress_line *line, const char *kernel, uint64_t replays)
{
	char count[SHAPE_TEXT_BYTES];

	if (line)
		progress_line_what(line, "%.40s: %s", kernel,
		                   amount_text(count, replays, "replay"));
}
