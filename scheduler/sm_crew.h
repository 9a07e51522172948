/*
 * sm_crew - the SMs of a launch and the threads that play them (private to this room).
 *
 * There are two kinds of work: to form groups (read them, make their streams) and to run an SM for
 * a while. Whoever is free does what is most behind: groups that SMs wait for, else groups that
 * will be wanted soon, half a stock of them at a time, else the SM whose time is the earliest. A
 * group that is not there when it is given out holds up all SMs: none can have the next one before
 * that SM has run on; so the stock comes before running, and several short groups are read at a
 * time. SMs share nothing but who gets which
 * group, and that the dispatcher decides by their times alone: an SM that has a slot free waits
 * until all others have come to its cycle (conservative simulation, Chandy and Misra 1979). So
 * threads decide when something is computed, never what; with one thread each SM runs as far as it
 * can.
 *
 * When the port settles what SMs share, they run in rounds (sm_rounds.h): to the same cycle, beyond
 * which nobody knows yet what happens. Whoever finds that all have come there settles, while no SM
 * runs, and all go on. Groups given out in a round begin in it, in the cycle that the dispatcher
 * says: an SM that waits for one does not let the round end.
 *
 * Of groups that cannot be played, the one with the lowest number is reported: the same with any
 * number of threads, since groups are read in ascending order.
 *
 * Memory: the streams of resident groups, and sixteen more for each thread when there are
 * several and all SMs are played, with the events of eight groups for each.
 */
#ifndef SM_CREW_H
#define SM_CREW_H

#include "schedule.h"

struct sm_crew;

/* `slots` of each SM. Everything is borrowed until sm_crew_free(). Returns 0 or ERR_NOMEM. */
int sm_crew_create(struct sm_crew **out, const struct gpu *gpu, const struct schedule_input *input,
                   const struct memory_port *port, uint32_t slots, struct err *err);

/* Free. NULL is allowed. */
void sm_crew_free(struct sm_crew *c);

/* Play the launch to its end. Once. Returns what schedule_launch() does. */
int sm_crew_play(struct sm_crew *c, struct err *err);

/* Add what was played to *out, whose arrays are there. */
void sm_crew_count(const struct sm_crew *c, struct schedule_result *out);

#endif
