/*
 * launch_play - a launch made of a function, played through a port that writes everything down.
 */
#ifndef LAUNCH_PLAY_H
#define LAUNCH_PLAY_H

#include "gpu.h"
#include "schedule.h"

enum { PLAY_EVENTS = 1 << 16, PLAY_ITEMS = 1024, PLAY_LOG = 1 << 18 };

/* A request as the port saw it. */
struct logged {
	uint64_t cycle, group, line;
	uint32_t sm, warp, site, lanes, bytes_used;
	int32_t buffer;
	enum site_kind kind;
};

struct launch_play {
	/* to be set: what a work-item does, and how long a request takes */
	struct launch_shape shape;
	struct kernel_table table;
	struct gpu gpu;
	const struct address_map *map;
	void (*item)(struct launch_play *p, uint64_t group, uint32_t item);
	uint64_t (*latency)(const struct logged *r);
	uint32_t registers;
	uint64_t local_bytes;
	struct local_sample sample;
	bool takes_runs; /* the port has reads() */
	struct issue_order order;
	struct dispatch_order dispatch;
	uint32_t sms, jobs;
	bool is_sequence;
	const struct reorder_config *reorder;
	/* where requests go instead of `log` and latency(), which may then be used by it; or NULL
	 */
	const struct memory_port *port;
	/* also told of each access before its requests; NULL: not */
	void (*access)(void *play, uint32_t sm, const struct warp_access *a, uint64_t now_cycles);

	/* of the group that is read now; item() calls launch_play_event() */
	struct event events[PLAY_EVENTS];
	uint64_t first[PLAY_ITEMS + 1];
	uint64_t event_count;

	/* what happened */
	uint64_t groups_read;
	uint64_t accesses;
	struct schedule_result result;
	struct logged log[PLAY_LOG];
	uint32_t log_count;
};

/* The work-item does this next. */
void launch_play_event(struct launch_play *p, uint64_t value, uint32_t point, uint32_t iteration);

/* schedule_launch(); the result and the log are in *p. Release the result. */
int launch_play(struct launch_play *p, struct err *err);

/* Begin anew with launch_play_table() and launch_play_gpu(). */
void launch_play_init(struct launch_play *p,
                      void (*item)(struct launch_play *p, uint64_t group, uint32_t item),
                      uint64_t (*latency)(const struct logged *r));

/* Whether two logs tell of the same requests, at the same cycles. */
bool launch_play_is_same_log(const struct logged *a, const struct logged *b, uint32_t count);

/* A one-dimensional launch. */
void launch_play_shape(struct launch_play *p, uint64_t groups, uint64_t items);

/* A GPU with one SM and one scheduler, 4 lanes a warp, room for anything. */
struct gpu launch_play_gpu(void);

/* Sites: 0 and 1 read, 2 writes, 3 is atomic, 4 a barrier, 5 a fence; 4 bytes, in no loop. */
struct kernel_table launch_play_table(void);

#endif
