/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table_values FOLDER GPU TABLE COLUMN [KEY=VALUE...] - a column of all rows of all launches, one
 * value a line: what json_get prints of the JSON of `warpline replay`. C and C++ alike; it includes
 * the public header alone. A key that is none of the GPU's is one of the replay's.
 */
#include <warpline_replay.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_rows(const struct warpline_replay *replay, enum warpline_table table,
                       enum warpline_column column)
{
	for (size_t i = 0; i < warpline_replay_rows(replay, table); i++) {
		const char *text = warpline_replay_text(replay, table, i, column);
		uint64_t number = warpline_replay_number(replay, table, i, column);

		if (text)
			puts(text);
		else if (number == WARPLINE_UNKNOWN)
			puts("null");
		else
			printf("%" PRIu64 "\n", number);
	}
}

int main(int argc, char **argv)
{
	struct warpline_recording *recording = NULL;
	struct warpline_replay *replay = NULL;
	struct warpline_gpu *gpu = NULL;
	int ret = argc < 5;

	if (!ret)
		ret = warpline_recording_open(&recording, argv[1], NULL) ||
		      warpline_gpu_create(&gpu, argv[2], NULL, NULL) ||
		      warpline_replay_create(&replay, NULL);
	for (int i = 5; !ret && i < argc; i++)
		ret = warpline_gpu_set(gpu, argv[i], NULL) &&
		      warpline_replay_set(replay, argv[i], NULL);
	for (size_t i = 0; !ret && i < warpline_recording_launches(recording); i++) {
		ret = warpline_replay_run(replay, recording, i, gpu, NULL);
		if (ret == WARPLINE_ERROR_CONFIG) /* the GPU cannot hold it: the program skips it */
			ret = 0;
		print_rows(replay, (enum warpline_table)strtol(argv[3], NULL, 10),
		           warpline_column_find(argv[4]));
	}
	warpline_replay_free(replay);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
	if (ret)
		fprintf(stderr, "table_values: %d\n", ret);
	return ret != 0;
}
