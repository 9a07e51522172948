/*
 * replay - replays launches of a recording through a GPU's caches: the main interface of this room.
 *
 * One launch at a time. L1 is empty at the start of each, as on hardware. So is L2, unlike on
 * hardware: what a launch leaves there for the next is not modelled.
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
 * launch_input - a launch of a recording, opened as input of the scheduler (private to this room).
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

/* Open a launch; *in must not move until it is closed. Returns 0, ERR_USAGE for a launch that was
 * not traced, or an error of the rooms upstream. Close it in every case. */
int launch_input_open(struct launch_input *in, const struct recording *r, size_t launch,
                      const struct replay_options *options, struct err *err);
void launch_input_close(struct launch_input *in);

struct err;
struct gpu;
struct l1_observer;

struct replay_options {
	uint32_t registers; /* of a work-item; 0: unknown */
	struct issue_order order;
	const struct reorder_config *reorder; /* as in struct schedule_input */
	struct dispatch_order dispatch;
	uint32_t sms;  /* of the GPU's SMs to replay; 0: all (schedule.h) */
	uint32_t jobs; /* threads; 0: one. The result is the same for any number */
	/* Called for each access, lane by lane, as memory_port.access is (request.h), but with
	 * access_context; NULL: not called. From `jobs` threads. */
	void (*access)(void *access_context, uint32_t sm, const struct warp_access *a,
	               uint64_t now_cycles);
	void *access_context;
	/* Called for each request to L1, in that order, with request_context; NULL: not called.
	 * From `jobs` threads, for one SM from one at a time. */
	void (*request)(void *request_context, uint32_t sm, const struct request *r,
	                uint64_t now_cycles);
	void *request_context;
	/* Returns the observer of an SM's L1 (l1_observer.h). Called once for each replayed SM,
	 * from one thread; NULL, or a result of NULL: no observer. */
	const struct l1_observer *(*observer)(void *observer_context, uint32_t sm);
	void *observer_context;
	_Atomic uint64_t *played; /* progress: the accesses of a group are added when it has ended;
	                             NULL: none */
	/* Called before each work-group is read, with stop_context: true ends the replay with
	 * ERR_LIMIT. From `jobs` threads, one at a time. NULL: not called. */
	bool (*is_stopped)(void *stop_context);
	void *stop_context;
	bool has_patterns;            /* fill schedule.patterns */
	bool is_unclassified;         /* do not classify misses (l1.h); only without an observer */
	struct bypass_list read_only; /* reads of the read-only cache; borrowed. May be empty */
	const struct bypass_list *bypass; /* reads that bypass L1, unless they use the read-only
	                                     cache; borrowed. NULL: none do */
};

struct replay_result {
	struct schedule_result schedule;
	struct counters total;  /* all SMs */
	struct counters *sites; /* all SMs, per site of the kernel's table */
	size_t site_count;
	struct counters *sms; /* per SM, gpu->sm_count of them */
	size_t sm_count;
	struct counters read_only;        /* read-only caches of all SMs */
	struct counters *read_only_sites; /* per site; these two are not included above. NULL: there
	                                     are none */
	struct hierarchy_counts below;    /* with l2 = on */
	bool has_bypass;                  /* a list was given, even if it names nothing here */
	uint64_t groups; /* in the launch's file; all of them are replayed if all SMs are */
	bool is_whole;   /* the launch's file held every group, nothing dropped */
};

/* Free what the result owns. Accepts a zeroed struct. */
void replay_result_release(struct replay_result *r);

/*
 * Replay one traced launch. Fills *out (release it in every case). Returns 0, ERR_USAGE for a
 * launch that was not traced, or an error of the rooms upstream.
 */
int replay_launch(const struct recording *r, size_t launch, const struct gpu *gpu,
                  const struct replay_options *options, struct replay_result *out, struct err *err);

/*
 * Make the reorder configuration of a traced launch (reorder_plan_make()); *is_whole as in struct
 * replay_result. Release *out in every case. Returns 0 or an error of the rooms upstream.
 */
int replay_reorder_config(const struct recording *r, size_t launch, const struct gpu *gpu,
                          struct reorder_config *out, bool *is_whole, struct err *err);

#endif
