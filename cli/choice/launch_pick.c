/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_pick.h"

#include "err.h"
#include "launch_summary.h"
#include "recording.h"

#include <string.h>

int picked_launches_init(struct picked_launches *f, const struct launch_pick *pick, struct err *err)
{
	*f = (struct picked_launches){ 0 };
	if (pick->kernel && regcomp(&f->kernel, pick->kernel, REG_EXTENDED | REG_NOSUB))
		return err_set(err, ERR_USAGE,
		               "--kernel: expected a POSIX extended regular expression, not '%s'",
		               pick->kernel);
	f->has_kernel = pick->kernel;
	return pick->launches
	               ? group_selection_parse(&f->launches, pick->launches, "--launches", err)
	               : 0;
}

void picked_launches_release(struct picked_launches *f)
{
	if (f->has_kernel)
		regfree(&f->kernel);
	group_selection_free(f->launches);
	*f = (struct picked_launches){ 0 };
}

static bool has_kernel(const void *context, const struct recording *r, uint32_t kernel)
{
	const struct picked_launches *f = context;
	const struct kernel_table *t = &r->kernels[kernel].table;

	return !f->has_kernel || !regexec(&f->kernel, t->name, 0, NULL, 0) ||
	       (t->symbol && !regexec(&f->kernel, t->symbol, 0, NULL, 0));
}

static bool has_launch(const void *context, const struct recording *r,
                       const struct recorded_launch *l)
{
	const struct picked_launches *f = context;

	return (!f->launches || group_selection_has(f->launches, l->number)) &&
	       has_kernel(f, r, l->kernel);
}

bool picked_launches_has(const struct picked_launches *f, const struct recording *r,
                         const struct recorded_launch *l)
{
	return has_launch(f, r, l);
}

/* Fail with ERR_USAGE, listing what is available. */
static int none_left(const struct launch_pick *pick, const struct recording *r, const char *kernels,
                     struct err *err)
{
	if (!r->launches_seen)
		return err_set(err, ERR_USAGE, "%s: the recording has no launches",
		               pick->kernel ? "--kernel" : "--launches");
	if (pick->kernel)
		return err_set(err, ERR_USAGE,
		               "--kernel '%s'%s%s: no launch matches; kernels launched: %s",
		               pick->kernel, pick->launches ? " --launches " : "",
		               pick->launches ? pick->launches : "", kernels);
	return err_set(err, ERR_USAGE,
	               "--launches: no launch of %s is recorded; their numbers are 0..%llu",
	               pick->launches, (unsigned long long)r->launches_seen - 1);
}

int launch_pick_open(const struct launch_pick *pick, struct recording **out, const char *dir,
                     struct err *err)
{
	struct picked_launches f = { 0 };
	const struct recording_filter filter = { has_launch, has_kernel, &f };
	char kernels[LAUNCHED_KERNELS_BYTES];
	int ret = picked_launches_init(&f, pick, err);

	*out = NULL;
	if (!ret)
		ret = recording_open(out, dir, err);
	if (!ret && (pick->kernel || pick->launches)) {
		launched_kernels_text(kernels, *out);
		recording_keep_launches(*out, &filter);
		if (!(*out)->launch_count)
			ret = none_left(pick, *out, kernels, err);
	}
	if (ret) {
		recording_close(*out);
		*out = NULL;
	}
	picked_launches_release(&f);
	return ret;
}
