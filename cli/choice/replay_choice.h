/*
 * replay_choice - the options that choose a replay: the GPU, the launches, the order, and the reads
 * that bypass L1 or use the read-only cache; and their values, checked against a recording.
 *
 * The rows are replay_rows.def.
 */
#ifndef REPLAY_CHOICE_H
#define REPLAY_CHOICE_H

#include "gpu_choice.h"
#include "launch_pick.h"
#include "options.h"
#include "player.h"
#include "register_choice.h"
#include "replay_choice.h"

struct err;
struct gpu;
struct recording;
struct replay_options;

/* --schedule, --dispatch and --sms: the order in which a GPU runs a launch. In the command's
 * settings; a member without an option is zero. */
struct order_choice {
	const char *schedule, *dispatch;
	struct option_number sms;
};

/* Set options' order, dispatch and sms. Returns 0, or ERR_USAGE with a message that begins with the
 * option. */
int order_choice_read(struct replay_options *options, const struct order_choice *c,
                      const struct gpu *gpu, struct err *err);

/* In the command's settings. */
struct replay_choice {
	struct gpu_choice gpu;
	struct order_choice order;
	const char *reorder, *read_only, *bypass;
	struct option_number launch, jobs;
	struct launch_pick pick; /* for launch_pick_open() */
	struct register_choice registers;
};

/* Whether an option other than --jobs and those that choose launches was given: a command that does
 * not replay refuses it. The settings must have been zeroed, padding included. */
bool replay_choice_is_given(const struct replay_choice *c);

/*
 * First read the options of the GPU and the order, which need no recording; then those that name
 * reads and kernels of one. Kernels that a log lacks, and a bypass list that the recording keeps,
 * are reported on stderr as `command`. Each returns 0, ERR_USAGE or ERR_CONFIG with a message that
 * begins with the option, or an error of reading a file. Release *s with replay_setup_release() in
 * every case.
 */
int replay_choice_setup(struct replay_setup *s, const struct replay_choice *c, struct err *err);
int replay_choice_recording(struct replay_setup *s, const struct replay_choice *c,
                            const char *command, const struct recording *r, struct err *err);

#endif
