/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "handles.h"
#include "launch_summary.h"
#include "recording.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* An incomplete recording without a sentence means that there was no memory for one. */
static int find_missing(struct warpline_recording *recording, struct err *err)
{
	if (recording_is_complete(recording->recording, &recording->missing))
		return 0;
	return recording->missing ? 0 : err_set(err, ERR_NOMEM, "out of memory");
}

int warpline_recording_open(struct warpline_recording **out, const char *folder,
                            struct warpline_error *error)
{
	struct err err = { 0 };
	struct warpline_recording *made = array_alloc(1, sizeof(*made), "recording", &err);
	int ret = made ? recording_open(&made->recording, folder, &err) : ERR_NOMEM;

	*out = NULL;
	if (!ret)
		ret = find_missing(made, &err);
	if (ret)
		warpline_recording_close(made);
	else
		*out = made;
	return warpline_error_give(error, ret, &err);
}

void warpline_recording_close(struct warpline_recording *recording)
{
	if (!recording)
		return;
	recording_close(recording->recording);
	free(recording->missing);
	free(recording);
}

const char *warpline_recording_missing(const struct warpline_recording *recording)
{
	return recording->missing;
}

size_t warpline_recording_launches(const struct warpline_recording *recording)
{
	return recording->recording->launch_count;
}

/* NULL if there is no such launch. */
static const struct recorded_launch *launch_at(const struct warpline_recording *recording,
                                               size_t launch)
{
	const struct recording *r = recording->recording;

	return launch < r->launch_count ? &r->launches[launch] : NULL;
}

uint64_t warpline_launch_number(const struct warpline_recording *recording, size_t launch)
{
	const struct recorded_launch *l = launch_at(recording, launch);

	return l ? l->number : WARPLINE_UNKNOWN;
}

const char *warpline_launch_kernel(const struct warpline_recording *recording, size_t launch)
{
	const struct recorded_launch *l = launch_at(recording, launch);

	return l ? recording->recording->kernels[l->kernel].table.name : NULL;
}

void warpline_launch_size(const struct warpline_recording *recording, size_t launch,
                          uint64_t global[3], uint64_t local[3])
{
	static const struct launch_shape none;
	const struct recorded_launch *l = launch_at(recording, launch);
	const struct launch_shape *shape = l ? &l->shape : &none;

	memcpy(global, shape->global, sizeof(shape->global));
	memcpy(local, shape->local, sizeof(shape->local));
}

const char *warpline_launch_refusal(const struct warpline_recording *recording, size_t launch)
{
	const struct recorded_launch *l = launch_at(recording, launch);

	if (!l)
		return "there is no such launch";
	return l->fate == LAUNCH_TRACED ? NULL
	                                : launch_summary_reason(recording->recording, launch);
}
