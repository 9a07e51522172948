/*
 * bypass_job - a `warpline bypass` that replays: from its settings to its reports.
 */
#ifndef BYPASS_JOB_H
#define BYPASS_JOB_H

#include "gpu_choice.h"
#include "launch_pick.h"
#include "options.h"
#include "register_choice.h"
#include "replay_choice.h"

#include <stdbool.h>

struct err;

/* Of the command. */
struct bypass_settings {
	struct gpu_choice gpu;
	struct order_choice order;
	const char *by, *objective, *list, *out, *json, *csv, *ptx, *cache_op;
	bool carveout, source;
	struct option_number launch, jobs, top, limit;
	struct launch_pick pick;
	struct register_choice registers;
};

/* Make, measure and report the lists of the recording. Returns an exit code or a negative ERR_*. */
int bypass_job_run(const struct bypass_settings *s, const char *dir, bool is_quiet,
                   struct err *err);

#endif
