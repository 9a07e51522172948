/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_module.h"

#include "clock.h"
#include "gpu_session.h"
#include "gpu_twin.h"
#include "str.h"
#include "work_clock.h"

#include <stdlib.h>
#include <string.h>

static struct handle_map *map_of(struct session *s, bool is_library)
{
	return is_library ? &gpu_session(s)->libraries : &gpu_session(s)->modules;
}

static void free_function(struct gpu_function *f)
{
	free(f->name);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static void free_module(struct gpu_module *m)
{
	struct gpu_function *next;

	for (struct gpu_function *f = m->functions; f; f = next) {
		next = f->next;
		free_function(f);
	}
	for (size_t i = 0; i < m->table_count; i++)
		kernel_table_release(&m->tables[i]);
	free(m->tables);
	ptx_outline_release(&m->outline);
	free(m->ptx);
	free(m->reason);
	pthread_cond_destroy(&m->made);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

void gpu_module_release(struct gpu_module *m)
{
	if (m && atomic_fetch_sub(&m->refs, 1) == 1)
		free_module(m);
}

static struct gpu_module *create(void *original, bool is_library, char *ptx, const char *reason)
{
	struct gpu_module *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	atomic_init(&m->refs, 1);
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->made, NULL);
	m->is_library = is_library;
	m->original = original;
	m->ptx = ptx;
	m->reason = reason ? str_copy(reason, NULL) : NULL;
	return m;
}

/* Take all handles of a module's functions out of a map. The lock is held. */
static void forget_functions(struct handle_map *map, const struct gpu_module *m)
{
	for (size_t i = 0; i < map->capacity;) {
		const struct gpu_function *f = map->slots[i].key ? map->slots[i].value : NULL;

		/* What removal shifts back may come to this place. */
		if (f && f->module == m)
			handle_map_remove(map, map->slots[i].key);
		else
			i++;
	}
}

void gpu_module_add(struct session *s, void *original, bool is_library, char *ptx,
                    const char *reason)
{
	struct gpu_module *m = create(original, is_library, ptx, reason);
	void *old = NULL;

	if (!m) {
		free(ptx);
		return;
	}
	session_lock(s);
	if (handle_map_put(map_of(s, is_library), original, m, &old, NULL) < 0)
		old = m;
	/* Of a context that is gone: its handles may come again, and mean other things. */
	if (old && old != m) {
		forget_functions(&gpu_session(s)->functions, old);
		forget_functions(&gpu_session(s)->kernels, old);
	}
	session_unlock(s);
	gpu_module_release(old);
}

/* The CUmodules of a library go with it. The lock is held. Returns how many there were. */
static unsigned forget_aliases(struct session *s, const struct gpu_module *m)
{
	struct handle_map *map = &gpu_session(s)->modules;
	unsigned count = 0;

	for (size_t i = 0; i < map->capacity;) {
		if (map->slots[i].key && map->slots[i].value == m) {
			handle_map_remove(map, map->slots[i].key);
			count++;
		} else {
			i++;
		}
	}
	return count;
}

void gpu_module_end(struct session *s, void *original, bool is_library)
{
	struct gpu_module *m;
	unsigned aliases = 0;

	session_lock(s);
	m = handle_map_remove(map_of(s, is_library), original);
	if (m) {
		forget_functions(&gpu_session(s)->functions, m);
		forget_functions(&gpu_session(s)->kernels, m);
		aliases = forget_aliases(s, m);
	}
	session_unlock(s);
	if (!m)
		return;
	gpu_twin_unload(m);
	while (aliases--)
		gpu_module_release(m);
	gpu_module_release(m);
}

void gpu_module_alias(struct session *s, CUmodule module, CUlibrary library)
{
	struct gpu_module *m = gpu_module_get(s, library, true);
	void *old = NULL;

	if (!m)
		return;
	session_lock(s);
	if (handle_map_put(&gpu_session(s)->modules, module, m, &old, NULL) < 0)
		old = m;
	session_unlock(s);
	gpu_module_release(old);
}

struct gpu_module *gpu_module_get(struct session *s, const void *original, bool is_library)
{
	struct gpu_module *m;

	session_lock(s);
	m = handle_map_get(map_of(s, is_library), original);
	if (m)
		atomic_fetch_add(&m->refs, 1);
	session_unlock(s);
	return m;
}

void gpu_module_make(struct gpu_module *m, struct session *s)
{
	uint64_t since;
	bool is_ours;

	pthread_mutex_lock(&m->lock);
	while (m->stage == MODULE_BEING_MADE)
		pthread_cond_wait(&m->made, &m->lock);
	is_ours = m->stage == MODULE_NEW;
	if (is_ours)
		m->stage = MODULE_BEING_MADE;
	pthread_mutex_unlock(&m->lock);
	if (!is_ours)
		return;

	since = clock_now_ns();
	gpu_twin_make(m, s);
	work_clock_end(s, since);

	pthread_mutex_lock(&m->lock);
	m->stage = MODULE_MADE;
	pthread_cond_broadcast(&m->made);
	pthread_mutex_unlock(&m->lock);
}
