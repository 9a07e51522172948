/*
 * replay - plays launches of a recording through a GPU's caches: the door of this room.
 *
 * One launch at a time; L1 is empty at the start of each, as on the hardware, and so is L2, which
 * is not: what a launch left there for the next is not modelled.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "bypass_list.h"
#include "counters.h"
#include "hierarchy.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * launch_input - a launch of a recording, opened as the scheduler takes it (private to this room).
 */

struct launch_reader;
struct recording;
struct replay_options;
struct trace_source;

struct launch_input {
	struct schedule_input schedule; /* borrows this struct, the recording and the options */
	const struct replay_options *options;
	struct trace_source *source;
	struct launch_reader *reader;
	struct address_map *map;
	uint64_t groups; /* in the launch's file */
	bool is_whole;   /* the launch's file holds every group, nothing dropped */
};

/* *in stays where it is until it is closed. Returns 0, ERR_USAGE for a launch that was not traced,
 * or what the rooms upstream return. Close it in every case. */
int launch_input_open(struct launch_input *in, const struct recording *r, size_t launch,
                      const struct replay_options *options, struct err *err);
void launch_input_close(struct launch_input *in);

struct err;
struct gpu;
struct l1_observer;

struct replay_options {
	uint32_t registers; /* of a work-item; 0: not known */
	struct issue_order order;
	const struct reorder_config *reorder; /* as in struct schedule_input */
	struct dispatch_order dispatch;
	uint32_t sms;  /* of the GPU that are played; 0: all (schedule.h) */
	uint32_t jobs; /* threads; 0: one. The result is the same for any number */
	/* Also told of each access, lane by lane, as memory_port.access is (request.h), but with
	   access_context; NULL: not. From `jobs` threads. */
	void (*access)(void *access_context, uint32_t sm, const struct warp_access *a,
	               uint64_t now_cycles);
	void *access_context;
	/* Also told of each request that L1 is asked, in that order, with request_context; NULL:
	   not. From `jobs` threads, for one SM from one at a time. */
	void (*request)(void *request_context, uint32_t sm, const struct request *r,
	                uint64_t now_cycles);
	void *request_context;
	/* Who is told what becomes of the requests and lines of an SM's L1 (l1_observer.h). Asked
	   once for each SM that is played, from one thread; NULL, or an answer of NULL: nobody. */
	const struct l1_observer *(*observer)(void *observer_context, uint32_t sm);
	void *observer_context;
	_Atomic uint64_t *played; /* for who waits: the accesses of a group are added to it when it
	                             has ended; NULL: not */
	/* Asked before each work-group is read, with stop_context: true ends the replay with
	   ERR_LIMIT. From `jobs` threads, one at a time. NULL: nobody is asked. */
	bool (*is_stopped)(void *stop_context);
	void *stop_context;
	bool has_patterns;            /* schedule.patterns is asked for */
	bool is_unclassified;         /* misses are not told by class (l1.h); with no observer */
	struct bypass_list read_only; /* reads that go beside L1; borrowed. No rule: none do */
	const struct bypass_list *bypass; /* reads that go past L1, where they do not go beside it;
	                                     borrowed. NULL: none do */
};

struct replay_result {
	struct schedule_result schedule;
	struct counters total;  /* all SMs */
	struct counters *sites; /* all SMs, per site of the kernel's table */
	size_t site_count;
	struct counters *sms; /* per SM, gpu->sm_count of them */
	size_t sm_count;
	struct counters read_only;        /* what went through read-only caches, all SMs; it is */
	struct counters *read_only_sites; /* in none of the above. NULL: there are none */
	struct hierarchy_counts below;    /* with l2 = on */
	bool has_bypass;                  /* a list was given, which may name nothing here */
	uint64_t groups; /* that are in the launch's file; with all SMs all of them are played */
	bool is_whole;   /* the launch's file held every group, nothing dropped */
};

/* Free what the result owns. Accepts a zeroed struct. */
void replay_result_release(struct replay_result *r);

/*
 * Replay one traced launch. Fills *out (release it in every case). Returns 0 or what the rooms
 * upstream return; ERR_USAGE for a launch that was not traced.
 */
int replay_launch(const struct recording *r, size_t launch, const struct gpu *gpu,
                  const struct replay_options *options, struct replay_result *out, struct err *err);

/*
 * The reorder configuration of a traced launch (reorder_plan_make()); *is_whole as above. Release
 * *out in every case. Returns 0 or what the rooms upstream return.
 */
int replay_reorder_config(const struct recording *r, size_t launch, const struct gpu *gpu,
                          struct reorder_config *out, bool *is_whole, struct err *err);

#endif
