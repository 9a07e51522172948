/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include "ancestor_trace.h"
#include "err.h"
#include "import_recording.h"

#include <stdlib.h>

/* A trace, and the kernel inferred from it. */
struct inferred {
	const struct ancestor_trace *trace;
	const struct ancestor_kernel *kernel;
};

/* An execution being written. */
struct writing {
	const struct ancestor_execution *execution;
	struct ancestor_events *events;
};

/* Writes the groups for import_recording_launch(). */
static int write_groups(struct launch_writer *w, void *input, struct err *err)
{
	const struct writing *in = input;
	uint64_t count = launch_shape_group_count(&in->execution->shape);
	struct group_events group;
	size_t next = in->execution->first;
	int ret = 0;

	for (uint64_t g = 0; !ret && g < count; g++) {
		ret = ancestor_events_group(in->events, in->execution, g, &next, &group, err);
		if (!ret)
			ret = launch_writer_add(w, g, &group, err);
	}
	return ret;
}

static int write_launches(struct recording_writer *w, const void *input, struct err *err)
{
	const struct inferred *in = input;
	const struct ancestor_execution *x = in->trace->executions.data;
	struct ancestor_events events;
	int ret = 0;

	ancestor_events_init(&events, in->trace, in->kernel);
	for (size_t i = 0; !ret && i < in->trace->executions.count; i++) {
		struct recorded_launch launch = { .shape = x[i].shape, .fate = LAUNCH_TRACED };
		struct writing writing = { &x[i], &events };

		ret = import_recording_launch(w, &launch, &in->kernel->table, write_groups,
		                              &writing, err);
	}
	ancestor_events_release(&events);
	return ret;
}

int import_ancestor(const char *file, const char *dir, struct err *err)
{
	char no_text[] = "";
	struct ancestor_kernel *kernel = calloc(1, sizeof(*kernel));
	struct ancestor_trace trace;
	const struct import_head head = { &kernel->table, 1, NULL, no_text, 32 };
	const struct inferred inferred = { &trace, kernel };
	int ret;

	if (!kernel)
		return err_set(err, ERR_NOMEM, "out of memory for the kernel");
	ret = ancestor_trace_read(&trace, file, err);
	if (!ret)
		ret = ancestor_kernel_infer(kernel, &trace, err);
	if (!ret)
		ret = import_recording_make(dir, &head, write_launches, &inferred, err);
	ancestor_kernel_release(kernel);
	free(kernel);
	ancestor_trace_release(&trace);
	return ret;
}
