/*
 * player - replays the chosen launches of a recording, one after another: reports progress, passes
 * over launches that were not recorded or that the GPU cannot hold, and keeps what the command must
 * report about them.
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
 * All that a replay needs but launches: the GPU, the order, and which reads go another way. It must
 * not be moved: `options` points into it.
 */
struct replay_setup {
	struct gpu gpu;
	struct replay_options options;
	struct reorder_config reorder; /* of options, where there is one */
	struct bypass_list bypass;     /* of options */
	uint32_t *registers;           /* that a work-item needs, of each kernel; 0: not known */
};

/* Free what it owns. Accepts a zeroed struct. */
void replay_setup_release(struct replay_setup *s);

/* The launches to replay: one, which --launch chose, or all. */
struct launch_choice {
	const struct recording *recording;
	size_t first, end; /* launches first .. end - 1, as indexes of recording->launches */
	uint64_t number;   /* that --launch gave */
	bool is_one;       /* --launch was given */
};

/* All launches, or, where `number` is not NULL, the one with that number. */
struct launch_choice launch_choice_make(const struct recording *r, const uint64_t *number);

/* Returns 0, or ERR_USAGE when the one launch does not exist or was not recorded. */
int launch_choice_check(const struct launch_choice *c, struct err *err);

/* The accesses of those that were recorded, and of one of them: what there is to play. */
uint64_t launch_choice_accesses(const struct launch_choice *c);
uint64_t launch_choice_accesses_of(const struct recording *r, size_t launch);

/* What a command reports after its output. Zeroed: nothing. */
struct player_outcome {
	bool lacks_accesses; /* accesses are missing from a launch's file */
	size_t refused;      /* launches that the GPU cannot hold */
	struct err refusal;  /* why the first of them does not fit; no code where the command has
	                        named each */
};

struct player {
	/* Set by the caller; what is pointed to is borrowed. */
	struct work_watch *watch; /* counts the accesses; may be NULL */
	bool is_strict; /* any launch that the GPU cannot hold is an error, as a chosen one is */
	struct launch_choice launches; /* checked */
	const struct gpu *gpu;
	const uint32_t *registers;     /* of each kernel; NULL: those in options */
	struct replay_options options; /* of every launch */
	/* What was replayed. */
	size_t played, kernels; /* launches, and how many kernels they are of */
	size_t first;           /* index of the first of them */
	struct counters l1;     /* their sum, as replay prints it */
	uint64_t beside;        /* requests that went through read-only caches */
	struct player_outcome outcome;
};

/* begin() returns it for a launch that is to be passed over and counted nowhere. */
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
	/* Frees what begin() made. Called after each begin(), whatever happened since. */
	void (*release)(void *context);
	/* The launch was not recorded, or the GPU cannot hold it; `why` says which. */
	int (*refused)(void *context, size_t launch, const char *why, struct err *err);
	/* With player_launch(): takes the result, which the caller releases. NULL: it is released
	   after end(). */
	struct replay_result *kept;
};

/* Replay the launches. Returns 0 or the first error. */
int player_play(struct player *p, const struct player_visitor *v, struct err *err);

/* Replay one launch of p->launches.recording, without progress; p->kernels does not change. Returns
 * 0, also for a launch that was passed over, or an error. */
int player_launch(struct player *p, size_t launch, const struct player_visitor *v, struct err *err);

#endif
