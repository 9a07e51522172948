/*
 * handles - the structs behind the handles of libwarpline-replay (private to this room).
 */
#ifndef HANDLES_H
#define HANDLES_H

#include "bypass_list.h"
#include "dispatcher.h"
#include "err.h"
#include "gpu.h"
#include "issue_order.h"
#include "replay.h"
#include "stats_run.h"
#include "warpline_replay.h"

#include <stdbool.h>
#include <stdint.h>

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
	char *text; /* the last result of warpline_gpu_text() */
};

/* The settings of warpline_replay_set(). */
struct replay_settings {
	struct issue_order order;
	struct dispatch_order dispatch;
	uint32_t sms, jobs, registers; /* 0: all; at least 1; 0: not known */
	bool is_bypass_given;          /* false: the recording's list */
	struct bypass_list bypass, read_only;
	bool has_classes, has_stats;
};

/* The defaults of warpline_replay_settings.def. */
void replay_settings_init(struct replay_settings *s);
void replay_settings_release(struct replay_settings *s);

/* The first kinds of sum_rows.h, which are tables of the interface. */
enum { REPLAYED_SUMS = SUM_SETS + 1 };

/* The launch replayed last, and the rows of its tables. Zeroed: none. */
struct last_launch {
	const struct recorded_launch *launch; /* borrowed from the recording, */
	const struct kernel_table *table;     /* as is its kernel's table */
	struct replay_result result;
	bool has_classes;
	struct stats_run stats;              /* stats.l1 is NULL with stats=off, */
	struct sum_rows sums[REPLAYED_SUMS]; /* and these are empty */
	size_t *sites;                       /* those that access memory */
	size_t site_count;
	size_t *sms; /* those that were simulated */
	size_t sm_count;
};

struct warpline_replay {
	struct replay_settings settings;
	warpline_request_function function;
	void *context;
	struct last_launch last;
};

/* Copy *err, or the description of `code`, to *error, which may be NULL; returns `code`. A code of
 * 0 changes nothing. */
int warpline_error_give(struct warpline_error *error, int code, const struct err *err);

#endif
