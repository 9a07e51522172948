/*
 * handles - what lies behind the handles of libwarpline-replay (private to this room).
 */
#ifndef HANDLES_H
#define HANDLES_H

#include "err.h"
#include "gpu.h"
#include "played_launch.h"
#include "replay_settings.h"
#include "warpline_replay.h"

struct recording;

struct warpline_error {
	struct err err;
};

struct warpline_recording {
	struct recording *recording;
	char *missing;
};

struct warpline_gpu {
	struct gpu gpu;
	char *text; /* what warpline_gpu_text() gave last */
};

struct warpline_replay {
	struct replay_settings settings;
	warpline_request_function function;
	void *context;
	struct played_launch played;
};

/* Leave what *err says, or the code's text, in *error, which may be NULL; returns `code`. For 0
 * nothing is changed. */
int warpline_error_give(struct warpline_error *error, int code, const struct err *err);

#endif
