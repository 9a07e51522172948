/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_session.h"

#include "clock.h"
#include "gpu_device.h"
#include "gpu_engine.h"
#include "gpu_link.h"
#include "gpu_module.h"
#include "thread_pool.h"

#define LIMIT_DEVICES 1024

static int init(struct session *s, struct err *err)
{
	struct gpu_session *g = gpu_session(s);

	array_init(&g->devices, sizeof(struct gpu_device), LIMIT_DEVICES, "devices");
	return thread_pool_create(&g->pool, err);
}

static void release_module(void *module)
{
	gpu_module_release(module);
}

static void release(struct session *s)
{
	struct gpu_session *g = gpu_session(s);

	thread_pool_free(g->pool);
	handle_map_release_all(&g->modules, release_module);
	handle_map_release_all(&g->libraries, release_module);
	handle_map_release(&g->functions);
	handle_map_release(&g->kernels);
	handle_map_release_all(&g->links, gpu_link_free);
	handle_map_release_all(&g->engines, gpu_engine_free);
	array_release(&g->devices);
}

/* There is no thread that wakes to write: a later launch does. */
static void be_counted(struct session *s, bool is_first)
{
	struct gpu_session *g = gpu_session(s);
	uint64_t now = clock_now_ns(), due;

	if (is_first)
		atomic_store(&g->tally_due_ns, launch_tallies_due_ns(&s->tallies, now));
	due = atomic_load(&g->tally_due_ns);
	if (due && now >= due && atomic_compare_exchange_strong(&g->tally_due_ns, &due, 0))
		session_write_counts(s);
}

const struct session_part gpu_part = {
	.bytes = sizeof(struct gpu_session), .init = init, .release = release, .counted = be_counted
};
