/*
 * sequence - plays a launch that is one sequence of single accesses, without forming warps: an
 * imported list of addresses (schedule_input.is_sequence).
 *
 * One warp of one lane on SM 0: an access goes when the one before it has its data (a write: in the
 * next cycle) and L1 takes a request. What comes out is what the general way gives, sooner.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include "schedule.h"

/* Whether a launch can be played so: a sequence whose groups have one work-item, whose sites are
 * accesses of one byte to global memory, a port that is not told of accesses, answers at once and
 * does not close, and no reordering. */
bool sequence_is_plain(const struct schedule_input *input, const struct memory_port *port);

/* Play a launch that can. `out` has its lists; all else is filled in. Returns 0, ERR_FORMAT (an
 * event that is no access), or what groups.read returns. */
int sequence_play(const struct gpu *gpu, const struct schedule_input *input,
                  const struct memory_port *port, struct schedule_result *out, struct err *err);

#endif
