/*
 * launch_refusal - launches that run as the application's own kernel: their lines in the recording.
 */
#ifndef LAUNCH_REFUSAL_H
#define LAUNCH_REFUSAL_H

struct launch_refusal;
struct session;

/* Tell the recording of a launch that the driver has taken, or will not run: its line and fate. */
void launch_refusal_record(struct session *s, struct launch_refusal *refusal);

#endif
