/*
 * launch_pick - the options --launches and --kernel, which choose a part of a recording.
 */
#ifndef LAUNCH_PICK_H
#define LAUNCH_PICK_H

#include "group_selection.h"
#include "options.h"

#include <regex.h>
#include <stdbool.h>

struct err;
struct recorded_launch;
struct recording;

/* In the command's settings. */
struct launch_pick {
	const char *launches, *kernel; /* NULL: all */
};

/* The rows of these options, for settings of `type` with the struct as `member`; `what` begins
 * their help: what happens to those launches. */
#define LAUNCH_PICK_ROWS(type, member, what)                                                       \
	{ .name = "launches",                                                                      \
	  .argument = "SPEC",                                                                      \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = offsetof(type, member.launches),                                               \
	  .text = what "these launches, numbered from 0: " GROUP_SELECTION_SYNTAX },               \
		{ .name = "kernel",                                                                \
		  .argument = "REGEX",                                                             \
		  .kind = OPTION_TEXT,                                                             \
		  .offset = offsetof(type, member.kernel),                                         \
		  .text = what "launches of kernels whose name matches, anywhere in it (POSIX "    \
		               "extended); with --launches, both must match" }

/* Their values, parsed. */
struct picked_launches {
	struct group_selection *launches; /* NULL: all */
	regex_t kernel;
	bool has_kernel;
};

/* Returns 0, ERR_USAGE or ERR_NOMEM. Release in every case. */
int picked_launches_init(struct picked_launches *f, const struct launch_pick *pick,
                         struct err *err);
void picked_launches_release(struct picked_launches *f);
bool picked_launches_has(const struct picked_launches *f, const struct recording *r,
                         const struct recorded_launch *l);

/*
 * Open the recording `dir` with the picked launches only. Returns 0; ERR_USAGE for a value that
 * cannot be parsed, or if no launch is left, with the names of the kernels that were launched; or
 * an error of recording_open(). On failure *out is NULL.
 */
int launch_pick_open(const struct launch_pick *pick, struct recording **out, const char *dir,
                     struct err *err);

#endif
