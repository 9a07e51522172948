/*
 * left_out - launches that go to the driver as they are, told apart at little cost.
 *
 * Most of what a launch needs to be recorded it does not need when the user did not select it: what
 * is asked here is only which kernel runs on which device. The answer is remembered by each thread
 * for the kernels and queues that it used last. What is not certain here is not left out: the way
 * of all other launches (launch_job.h) decides.
 */
#ifndef LEFT_OUT_H
#define LEFT_OUT_H

#include <stdbool.h>

struct launch_request;
struct launch_wish;
struct session;

/* Whether the launch is left out. True: *w is set, and launch_wish_settle() is to follow. */
bool left_out_decide(struct session *s, const struct launch_request *r, struct launch_wish *w);

#endif
