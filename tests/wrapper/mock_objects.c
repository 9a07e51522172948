/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_objects.h"

#include "mock_driver.h"
#include "probe_abi.h"

#include <stdlib.h>
#include <string.h>

pthread_mutex_t mock_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct object *pending, *made;
static int alive;
static uint64_t device_bytes;

struct object *mock_make(enum sort sort, struct object *owner)
{
	struct object *o = calloc(1, sizeof(*o));

	o->sort = sort;
	o->refs = 1;
	o->owner = owner;
	if (owner)
		owner->refs++;
	alive++;
	o->next_made = made;
	made = o;
	return o;
}

void mock_drop(struct object *o)
{
	if (!o || --o->refs > 0)
		return;
	if (o->sort == BUFFER)
		device_bytes -= o->size;
	mock_drop(o->owner);
	mock_drop(o->waits_for);
	mock_drop(o->before);
	mock_drop(o->kernel);
	mock_drop(o->last);
	free(o->bytes);
	o->bytes = NULL;
	alive--;
}

bool mock_take_bytes(size_t size)
{
	if (device_bytes + size > MOCK_DEVICE_BYTES)
		return false;
	device_bytes += size;
	return true;
}

unsigned mock_driver_count(uint64_t i)
{
	return (unsigned)(i * 2654435761u >> 3) % 23;
}

/* The next chunk for a work-item, or NULL. */
static struct probe_chunk *ask_chunk(struct probe_header *h, uint64_t group, uint32_t item)
{
	uint32_t number = h->next_chunk++;
	struct probe_chunk *chunk;

	if (number >= h->chunk_count)
		return NULL;
	chunk = (struct probe_chunk *)(void *)((unsigned char *)h + h->records_offset +
	                                       number * (sizeof(*chunk) +
	                                                 h->chunk_words * sizeof(struct event)));
	*chunk = (struct probe_chunk){ group, item, 0 };
	return chunk;
}

static void emit(struct probe_header *h, struct probe_chunk **chunk, uint64_t group, uint32_t item,
                 struct event event)
{
	if (!*chunk || (*chunk)->order == h->chunk_words)
		*chunk = ask_chunk(h, group, item);
	if (*chunk)
		((struct event *)(*chunk + 1))[(*chunk)->order++] = event;
	else
		h->lost_low++;
}

static void update_item(int *a, uint64_t i, struct probe_header *h, uint64_t group, uint32_t item)
{
	struct probe_chunk *chunk = NULL;
	uint32_t lost = h ? h->lost_low : 0;
	uint64_t address = (uint64_t)(uintptr_t)&a[i];

	for (unsigned k = 0; k < mock_driver_count(i); k++) {
		a[i] = (int)((unsigned)a[i] * 3 + (unsigned)i);
		if (!h)
			continue;
		emit(h, &chunk, group, item, (struct event){ address, EVENT_SITE | 0, k });
		emit(h, &chunk, group, item, (struct event){ address, EVENT_SITE | 1, k });
	}
	if (h && h->lost_low != lost)
		h->lost_records++;
}

static struct object *argument(const struct object *kernel, int i)
{
	struct object *o;

	memcpy(&o, kernel->values[i], sizeof(o));
	return o;
}

static void run_update(const struct object *event)
{
	struct object *kernel = event->kernel;
	int *a = (int *)(void *)argument(kernel, 0)->bytes;
	struct probe_header *h = NULL;

	if (kernel->owner->is_binary) {
		h = (struct probe_header *)(void *)argument(kernel, 1)->bytes;
		((uint64_t *)(void *)(h + 1))[0] = (uint64_t)(uintptr_t)a;
	}
	for (uint64_t i = 0; i < event->global; i++) {
		uint64_t group = i / event->local;

		if (!h || group >= h->slice_begin)
			update_item(a, i, h, group, (uint32_t)(i % event->local));
	}
}

static bool is_free(const struct object *event)
{
	return (!event->waits_for || event->waits_for->status <= CL_COMPLETE) &&
	       (!event->before || event->before->status <= CL_COMPLETE);
}

void mock_pump(void)
{
	struct object **at = &pending;

	while (*at) {
		struct object *event = *at;

		if (!is_free(event)) {
			at = &event->next_pending;
			continue;
		}
		*at = event->next_pending;
		if (event->kernel && strcmp(event->kernel->name, "update") == 0)
			run_update(event);
		event->status = CL_COMPLETE;
		pthread_cond_broadcast(&changed);
		if (event->callback) {
			pthread_mutex_unlock(&mock_lock);
			event->callback((cl_event)event, CL_COMPLETE, event->callback_data);
			pthread_mutex_lock(&mock_lock);
		}
		mock_drop(event);
		at = &pending;
	}
}

void mock_enqueue(struct object *queue, struct object *kernel, const size_t *global,
                  const size_t *local, const cl_event *wait, cl_event *out)
{
	struct object *event = mock_make(EVENT, NULL), **end = &pending;

	event->status = CL_QUEUED;
	event->kernel = kernel;
	if (kernel) { /* arguments as they are now */
		struct object *copy = mock_make(KERNEL, kernel->owner);

		memcpy(copy->name, kernel->name, sizeof(copy->name));
		memcpy(copy->values, kernel->values, sizeof(copy->values));
		event->kernel = copy;
	}
	event->global = global ? *global : 1;
	event->local = local ? *local : 1;
	event->before = queue->last; /* the queue's reference moves here */
	event->waits_for = wait ? (struct object *)*wait : NULL;
	if (event->waits_for)
		event->waits_for->refs++;
	queue->last = event;
	event->refs++; /* ours in the queue; one in the list */
	if (out) {
		*out = (cl_event)event;
		event->refs++;
	}
	while (*end)
		end = &(*end)->next_pending;
	*end = event;
	mock_pump();
}

void mock_finish(struct object *queue)
{
	while (queue->last && queue->last->status > CL_COMPLETE)
		pthread_cond_wait(&changed, &mock_lock);
}

void mock_driver_reset(void)
{
	pthread_mutex_lock(&mock_lock);
	while (made) {
		struct object *next = made->next_made;

		free(made->bytes);
		free(made);
		made = next;
	}
	pending = NULL;
	alive = 0;
	device_bytes = 0;
	pthread_mutex_unlock(&mock_lock);
}

int mock_driver_alive(void)
{
	int count;

	pthread_mutex_lock(&mock_lock);
	count = alive;
	pthread_mutex_unlock(&mock_lock);
	return count;
}
