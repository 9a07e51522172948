/* SPDX-License-Identifier: Apache-2.0 */
/* make_recordings KIND... : makes the recordings KIND in the current directory. With --here KIND
 * it is the program being recorded: it makes one in WARPLINE_DIR, tells of it in WARPLINE_SEEN, and
 * exits with 7. */
#include "err.h"
#include "recording_writer.h"
#include "recordings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *dir)
{
	const char *path = getenv("WARPLINE_SEEN");
	FILE *seen = path ? fopen(path, "a") : NULL;

	if (!seen)
		return;
	fprintf(seen, "recording %s\n", dir);
	fclose(seen);
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	const char *here = getenv("WARPLINE_DIR");
	int ret = 0;

	if (argc == 3 && !strcmp(argv[1], "--here")) {
		if (!here || recording_make(argv[2], here, &err))
			fprintf(stderr, "%s\n", here ? err.msg : "no WARPLINE_DIR");
		else
			tell(here);
		puts("the program's own output");
		return 7;
	}
	for (int i = 1; !ret && i < argc; i++) {
		ret = recording_make(argv[i], argv[i], &err);
		if (!ret && strcmp(argv[i], "incomplete") != 0)
			ret = recording_append_exit(argv[i], 0, 0, &err);
	}
	if (ret)
		fprintf(stderr, "make_recordings: %s\n", err.msg);
	return ret ? 1 : 0;
}
