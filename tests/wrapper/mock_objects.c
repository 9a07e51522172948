/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_objects.h"

#include "mock_driver.h"
#include "mock_probe.h"

#include <stdlib.h>
#include <string.h>

pthread_mutex_t mock_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct object *pending, *made;
static int alive;
static uint64_t device_bytes;
static uint32_t mock_lanes = 1;

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

void mock_driver_set_lanes(uint32_t lanes)
{
	mock_lanes = lanes;
}

unsigned mock_driver_count(uint64_t i)
{
	return (unsigned)(i * 2654435761u >> 3) % 23;
}

/* A word of a site: its address, and the iterations begun since the last. */
static void emit(struct mock_probe *p, uint32_t site, const void *address, uint64_t run)
{
	mock_probe_write(p, (uint64_t)(site + 1) << PROBE_CODE_SHIFT | run << PROBE_RUN_SHIFT |
	                            (uint64_t)(uintptr_t)address);
}

static void update_item(int *a, uint64_t i, struct mock_probe *p)
{
	for (unsigned k = 0; k < mock_driver_count(i); k++) {
		a[i] = (int)((unsigned)a[i] * 3 + (unsigned)i);
		if (!p)
			continue;
		emit(p, 0, &a[i], 1);
		emit(p, 1, &a[i], 0);
	}
}

static struct object *argument(const struct object *kernel, int i)
{
	struct object *o;

	memcpy(&o, kernel->values[i], sizeof(o));
	return o;
}

/* Work-items of the group that the i-th is in. */
static uint32_t items_of_group(const struct object *event, uint64_t i)
{
	uint64_t left = event->global - i / event->local * event->local;

	return (uint32_t)(left < event->local ? left : event->local);
}

static void run_update(const struct object *event)
{
	struct object *kernel = event->kernel;
	int *a = (int *)(void *)argument(kernel, 0)->bytes;
	struct probe_header *h = NULL;
	struct mock_probe probe;

	if (kernel->owner->is_probed) {
		h = (struct probe_header *)(void *)argument(kernel, 1)->bytes;
		((uint64_t *)(void *)(h + 1))[0] = (uint64_t)(uintptr_t)a;
	}
	for (uint64_t i = 0; i < event->global; i++) {
		if (h)
			mock_probe_begin(&probe, h, mock_lanes, h->slice_begin + i / event->local,
			                 (uint32_t)(i % event->local),
			                 items_of_group(event, i), (uint32_t)event->local);
		update_item(a, event->offset + i, h ? &probe : NULL);
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

void mock_enqueue(struct object *queue, struct object *kernel, const struct mock_range *range,
                  const cl_event *wait, cl_event *out)
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
	event->offset = range->offset ? *range->offset : 0;
	event->global = range->global ? *range->global : 1;
	event->local = range->local ? *range->local : 1;
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
