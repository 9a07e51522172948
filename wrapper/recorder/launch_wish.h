/*
 * launch_wish - whether the user wants a launch recorded; its number and its line.
 *
 * What launch_filter and launch_quota say, in the order in which launch_quota.h has it, asked once.
 * What is not wanted gets no line: its kernel's tally counts it if the driver takes it. If the
 * driver refuses it, it leaves no trace.
 */
#ifndef LAUNCH_WISH_H
#define LAUNCH_WISH_H

#include "launch_quota.h"
#include "launch_shape.h"
#include "launch_tally.h"
#include "recording_writer.h"

struct session;

struct launch_wish {
	/* What it is asked of: */
	struct launch_tally *tally; /* of its kernel, or NULL */
	uint32_t kernel_id;
	bool is_selected; /* by --kernel */
	struct launch_shape shape;
	uint64_t local_bytes;
	/* The answers: */
	enum quota_answer quota;
	enum tally_reason left_out_by; /* of one that is not wanted */
	bool has_number;               /* it has taken its number */
	bool has_line;                 /* in the recording */
	uint64_t number;
};

/*
 * Whether the launch is wanted. Where launches are chosen by number it then has one, and if wanted
 * its line unless that comes late: when it is done. Of QUOTA_ENDED it is wanted, too.
 */
bool launch_wish_ask(struct session *s, struct launch_wish *w, bool is_late);

/*
 * Whether it is certain that the launch is not wanted, or would be only counted, by its tally
 * alone, which is set. True: launch_wish_settle() is to follow. False: nothing was asked.
 */
bool launch_wish_is_out(struct session *s, struct launch_wish *w);

/* A launch that is not wanted was taken by the driver (`has_run`), or refused: then it was none. */
void launch_wish_settle(struct session *s, struct launch_wish *w, bool has_run);

/* A wanted launch begins: its number, and its line unless that comes late. Nothing if it has its
 * number. */
void launch_wish_begin(struct session *s, struct launch_wish *w, bool is_late);

/* Whether it has a number under which it can be recorded. */
bool launch_wish_has_id(const struct launch_wish *w);

/* Count a launch that gets no line of its own. It gets its number if it has none. */
void launch_wish_count(struct session *s, struct launch_wish *w, enum tally_reason reason);

/* A launch runs unmodified, for the reason of its kernel. Whether there have been enough lines of
 * these, so that others may be only counted. */
bool launch_wish_spends_line(struct session *s, const struct launch_wish *w);

/* What became of a launch that did not run instrumented; with its line, if it has none. `reason`
 * may be NULL. */
void launch_wish_end(struct session *s, struct launch_wish *w, enum launch_fate fate,
                     const char *reason);

/* A wanted launch was refused by the driver: it does not count. */
void launch_wish_take_back(struct session *s, const struct launch_wish *w);

#endif
