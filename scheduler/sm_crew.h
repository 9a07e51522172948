/*
 * sm_crew - the SMs of a launch and the threads that run them (private to this room).
 *
 * There are two kinds of work: forming groups (reading them, making their streams) and running an
 * SM for a while. A free thread does what is most urgent: groups that SMs wait for, else groups
 * that will be needed soon, half a stock of them at a time, else the SM whose time is the earliest.
 * A group that is not ready when it is dispatched holds up all SMs, because none can get the next
 * one before that SM has run; so filling the stock comes before running, and several short groups
 * are read at a time. SMs share nothing but the dispatch of groups, which depends only on their
 * times: an SM with a free slot waits until all others have reached its cycle (conservative
 * simulation, Chandy and Misra 1979). So threads decide when something is computed, never what;
 * with one thread each SM runs as far as it can.
 *
 * If the port settles what SMs share, they run in rounds (sm_rounds.h): to the same cycle, beyond
 * which nothing is known yet. The thread that finds that all have arrived settles, while no SM
 * runs, and all continue. Groups dispatched in a round begin in it, in the cycle that the
 * dispatcher gives: an SM that waits for one keeps the round from ending.
 *
 * Of the groups that cannot be simulated, the one with the lowest number is reported. This is the
 * same with any number of threads, because groups are read in ascending order.
 *
 * Memory: the streams of resident groups, and, if several threads simulate all SMs, sixteen more
 * for each thread, with the events of eight groups for each.
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

/* Simulate the launch to its end. At most once. Returns what schedule_launch() does. */
int sm_crew_play(struct sm_crew *c, struct err *err);

/* Add the results to *out, whose arrays are allocated. */
void sm_crew_count(const struct sm_crew *c, struct schedule_result *out);

#endif
