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

#include "launch_quota.h"
#include "launch_tally.h"

struct launch_request;
struct session;

struct left_out {
	struct launch_tally *tally;
	enum tally_reason reason;
	bool is_passed_over; /* counted by the quota as one of --skip */
	bool has_number;     /* it has taken its number */
	uint64_t number;
};

/* Whether the launch is left out. True: *out is set, and left_out_settle() is to follow. */
bool left_out_decide(struct session *s, const struct launch_request *r, struct left_out *out);

/* The driver has taken the launch (`has_run`) or refused it, which then was none. */
void left_out_settle(struct session *s, const struct left_out *out, bool has_run);

/* The option behind QUOTA_PASSED_OVER, QUOTA_LEFT_OUT or QUOTA_FULL. */
enum tally_reason left_out_reason(enum quota_answer answer);

/* Count a launch that got no line of its own, by the number that it has taken. */
void left_out_count(struct session *s, struct launch_tally *tally, enum tally_reason reason,
                    uint64_t number);

#endif
