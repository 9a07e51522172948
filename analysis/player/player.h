/*
 * player - replays the chosen launches of a recording, one after another. It reports progress,
 *skips launches that were not recorded or that the GPU cannot hold, and keeps what the command must
 *report about them.
 *
 *	struct player p = { .launches = choice, .gpu = &s->gpu, .registers = s->registers,
 *	                    .options = s->options, .watch = watch };
 *	const struct player_visitor v = { .context = me, .begin = begin, .end = end };
 *
 *	ret = player_play(&p, &v, err);
 */
#ifndef PLAYER_H
#define PLAYER_H

#include "bypass_list.h"
#include "counters.h"
#include "err.h"
#include "gpu.h"
#include "reorder_config.h"
#include "replay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recording;
struct work_watch;

/*
 * Everything that a replay needs except launches: the GPU, the order, and the reads that bypass L1
 * or use read-only caches. It must not be moved, because `options` points into it.
 */
struct replay_setup {
	struct gpu gpu;
	struct replay_options options;
	struct reorder_config reorder; /* of options, if set */
	struct bypass_list bypass;     /* of options */
	uint32_t *registers;           /* of a work-item, of each kernel; 0: not known */
};

/* Free what it owns. Accepts a zeroed struct. */
void replay_setup_release(struct replay_setup *s);

/* The launches to replay: the one of --launch, or all. */
struct launch_choice {
	const struct recording *recording;
	size_t first, end; /* launches first .. end - 1, as indexes of recording->launches */
	uint64_t number;   /* of --launch */
	bool is_one;       /* --launch was given */
};

/* Choose all launches or, if `number` is not NULL, the one with that number. */
struct launch_choice launch_choice_make(const struct recording *r, const uint64_t *number);

/* Returns 0, or ERR_USAGE when the single launch does not exist or was not recorded. */
int launch_choice_check(const struct launch_choice *c, struct err *err);

/* Return the accesses of the recorded launches, and of one launch: the work of a replay. */
uint64_t launch_choice_accesses(const struct launch_choice *c);
uint64_t launch_choice_accesses_of(const struct recording *r, size_t launch);

/* What a command reports after its output. Zeroed: nothing. */
struct player_outcome {
	bool lacks_accesses; /* accesses are missing from a launch's file */
	size_t refused;      /* launches that the GPU cannot hold */
	struct err refusal;  /* why the first of them does not fit; no code if the command has
	                        reported each */
};

struct player {
	/* Set by the caller; pointers are borrowed. */
	struct work_watch *watch; /* counts the accesses; may be NULL */
	bool is_strict; /* any launch that the GPU cannot hold is an error, as for --launch */
	struct launch_choice launches; /* checked */
	const struct gpu *gpu;
	const uint32_t *registers;     /* of each kernel; NULL: those of options */
	struct replay_options options; /* of every launch */
	/* Results. */
	size_t played, kernels; /* launches replayed, and their number of kernels */
	size_t first;           /* index of the first launch replayed */
	struct counters l1;     /* the sum that replay prints */
	uint64_t beside;        /* requests through read-only caches */
	struct player_outcome outcome;
};

/* Returned by begin() to skip a launch without counting it. */
enum { PLAYER_SKIP = 1 };

/* Each callback may be NULL, and returns 0 or an error. */
struct player_visitor {
	void *context;
	/* Before the replay; sets the callbacks in options. ERR_CONFIG, from here or from the
	   replay, means that the GPU cannot hold the launch. */
	int (*begin)(void *context, size_t launch, struct replay_options *options, struct err *err);
	/* Called instead of replay_launch(). */
	int (*play)(void *context, size_t launch, const struct replay_options *options,
	            struct replay_result *result, struct err *err);
	/* After the replay. */
	int (*end)(void *context, size_t launch, const struct replay_result *result,
	           struct err *err);
	/* Frees what begin() allocated. Called after each begin(), in every case. */
	void (*release)(void *context);
	/* The launch was not recorded, or the GPU cannot hold it; `why` says which. */
	int (*refused)(void *context, size_t launch, const char *why, struct err *err);
	/* With player_launch(): takes the result, which the caller releases. NULL: it is released
	   after end(). */
	struct replay_result *kept;
};

/* Replay the launches. Returns 0 or the first error. */
int player_play(struct player *p, const struct player_visitor *v, struct err *err);

/* Replay one launch of p->launches.recording without progress; p->kernels does not change. Returns
 * 0, also for a skipped launch, or an error. */
int player_launch(struct player *p, size_t launch, const struct player_visitor *v, struct err *err);

#endif
