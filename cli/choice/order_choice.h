/*
 * order_choice - the options for the order in which a GPU runs a launch: --schedule, --dispatch and
 * --sms.
 */
#ifndef ORDER_CHOICE_H
#define ORDER_CHOICE_H

#include "options.h"

struct err;
struct gpu;
struct replay_options;

/* In the command's settings; what a command has no option for is zero. */
struct order_choice {
	const char *schedule, *dispatch;
	struct option_number sms;
};

/* Set options' order, dispatch and sms. Returns 0, or ERR_USAGE with the option in front. */
int order_choice_read(struct replay_options *options, const struct order_choice *c,
                      const struct gpu *gpu, struct err *err);

#endif
