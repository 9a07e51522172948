/* SPDX-License-Identifier: Apache-2.0 */
#include "api_recording.h"

#include "cmocka_all.h"
#include "err.h"
#include "recordings.h"
#include "warpline_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

struct warpline_recording *api_recording_open(const char *kind)
{
	struct err err = { 0 };
	struct warpline_recording *recording = NULL;

	api_recording_remove();
	(void)snprintf(folder, sizeof(folder), "/tmp/warpline-api-%ld", (long)getpid());
	if (recording_make(kind, folder, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(warpline_recording_open(&recording, folder, NULL), 0);
	return recording;
}

void api_recording_remove(void)
{
	char command[96];

	if (!*folder)
		return;
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
	*folder = '\0';
}

struct warpline_gpu *api_recording_gpu(const char *keys)
{
	struct warpline_gpu *gpu = NULL;
	char copy[256], *rest = copy, *key;

	assert_int_equal(warpline_gpu_create(&gpu, SOURCE_DIR "/gpus/gtx480.conf", "16k", NULL), 0);
	(void)snprintf(copy, sizeof(copy), "%s", keys);
	while ((key = strsep(&rest, " ")))
		if (*key)
			assert_int_equal(warpline_gpu_set(gpu, key, NULL), 0);
	return gpu;
}
