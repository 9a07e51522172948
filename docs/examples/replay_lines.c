/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_lines FOLDER GPU [KEY=VALUE...] - which source lines of a recorded program miss in L1.
 *
 * An example of libwarpline-replay, C and C++ alike: docs/embedding.md.
 *     cc replay_lines.c $(pkg-config --cflags --libs warpline-replay) -o replay_lines
 */
#include <warpline_replay.h>

#include <inttypes.h>
#include <stdio.h>

static int count_request(void *context, const struct warpline_request *request)
{
	uint64_t *misses = (uint64_t *)context;

	if (request->outcome >= WARPLINE_OUTCOME_COLD &&
	    request->outcome <= WARPLINE_OUTCOME_SECTOR)
		++*misses;
	return 0; /* go on */
}

static void print_lines(const struct warpline_replay *replay)
{
	for (size_t row = 0; row < warpline_replay_rows(replay, WARPLINE_TABLE_LINES); row++) {
		const char *file =
			warpline_replay_text(replay, WARPLINE_TABLE_LINES, row, WARPLINE_file);

		printf("%12" PRIu64 " of %12" PRIu64 "  %s:%" PRIu64 "\n",
		       warpline_replay_number(replay, WARPLINE_TABLE_LINES, row,
		                              WARPLINE_read_misses),
		       warpline_replay_number(replay, WARPLINE_TABLE_LINES, row, WARPLINE_requests),
		       file ? file : "?",
		       warpline_replay_number(replay, WARPLINE_TABLE_LINES, row, WARPLINE_line));
	}
}

/* Play every launch that can be; returns 0 or the code of what failed. */
static int play_all(struct warpline_replay *replay, const struct warpline_recording *recording,
                    const struct warpline_gpu *gpu, struct warpline_error *error)
{
	uint64_t misses;
	int ret = 0;

	warpline_replay_on_request(replay, count_request, &misses);
	for (size_t i = 0; !ret && i < warpline_recording_launches(recording); i++) {
		if (warpline_launch_refusal(recording, i))
			continue;
		misses = 0;
		ret = warpline_replay_run(replay, recording, i, gpu, error);
		if (ret)
			break;
		printf("launch %" PRIu64 ", %s: %" PRIu64 " misses\n",
		       warpline_launch_number(recording, i), warpline_launch_kernel(recording, i),
		       misses);
		print_lines(replay);
	}
	return ret;
}

int main(int argc, char **argv)
{
	struct warpline_error *error = warpline_error_create();
	struct warpline_recording *recording = NULL;
	struct warpline_replay *replay = NULL;
	struct warpline_gpu *gpu = NULL;
	int ret = WARPLINE_ERROR_USAGE;

	if (argc < 3) {
		fprintf(stderr, "usage: replay_lines FOLDER GPU [KEY=VALUE...]\n");
		warpline_error_free(error);
		return 2;
	}
	ret = warpline_recording_open(&recording, argv[1], error);
	if (!ret)
		ret = warpline_gpu_create(&gpu, argv[2], NULL, error);
	for (int i = 3; !ret && i < argc; i++)
		ret = warpline_gpu_set(gpu, argv[i], error);
	if (!ret)
		ret = warpline_replay_create(&replay, error);
	if (!ret)
		ret = play_all(replay, recording, gpu, error);
	if (ret)
		fprintf(stderr, "replay_lines: %s\n", warpline_error_text(error));
	else if (warpline_recording_missing(recording))
		fprintf(stderr, "replay_lines: %s\n", warpline_recording_missing(recording));
	warpline_replay_free(replay);
	warpline_gpu_free(gpu);
	warpline_recording_close(recording);
	warpline_error_free(error);
	return ret ? 4 : 0;
}
