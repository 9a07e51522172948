/*
 * replay_choice - the options by which a command takes a replay: the GPU, the launches, the order,
 * and which reads go another way; and what they say, checked against a recording.
 *
 * The rows are replay_rows.def.
 */
#ifndef REPLAY_CHOICE_H
#define REPLAY_CHOICE_H

#include "gpu_choice.h"
#include "launch_pick.h"
#include "options.h"
#include "register_choice.h"
#include "replay_setup.h"

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

/* Whether an option says how to replay, --jobs and those that choose launches aside: a command that
 * makes no replay then refuses it. The choice is one of settings, which begin as zeros, also
 * between their members.
 */
bool replay_choice_is_given(const struct replay_choice *c);

/*
 * Read what the options say of the GPU and of the order, which needs no recording; then what names
 * parts of one: its reads and kernels. `command` is whose word says on stderr which kernels a log
 * lacks. Each returns 0, ERR_USAGE or ERR_CONFIG with the option in front, or what reading the
 * files that are named returns. Release *s with replay_setup_release() in every case.
 */
int replay_choice_setup(struct replay_setup *s, const struct replay_choice *c, struct err *err);
int replay_choice_recording(struct replay_setup *s, const struct replay_choice *c,
                            const char *command, const struct recording *r, struct err *err);

#endif
