/*
 * launch_filter - which kernels, launches and groups the user wants recorded.
 *
 * What is left out runs as if nobody recorded. Immutable once made: any thread may ask.
 */
#ifndef LAUNCH_FILTER_H
#define LAUNCH_FILTER_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct group_selection;
struct recorder_settings;

struct launch_filter {
	regex_t kernel;
	bool has_kernel;                  /* else all kernels */
	struct group_selection *launches; /* NULL: all */
	struct group_selection *groups;   /* NULL: all */
};

/*
 * Make the filter that the settings `kernel`, `launches` and `groups` ask for; release with
 * launch_filter_release() in either case. Returns 0, ERR_USAGE, ERR_LIMIT, ERR_NOMEM.
 */
int launch_filter_init(struct launch_filter *f, const struct recorder_settings *settings,
                       struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void launch_filter_release(struct launch_filter *f);

/* Whether kernels of this name are wanted: the expression matches anywhere in it. */
bool launch_filter_has_kernel(const struct launch_filter *f, const char *name);

/* Whether launch `number` of the recording is wanted, and one of its `group_count` groups. */
bool launch_filter_has_launch(const struct launch_filter *f, uint64_t number, uint64_t group_count);

#endif
