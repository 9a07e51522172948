/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_objects.h"

#include "mock_driver.h"
#include "mock_probe.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static struct object *pending, *made;
static int alive, misuses;
static uint64_t device_bytes;
static uint32_t mock_lanes = 1;

/* Not by its name, which a test may have replaced. */
void *mock_alloc(size_t bytes)
{
	static void *(*allocate)(size_t, size_t);

	if (!allocate)
		*(void **)(void *)&allocate = dlsym(RTLD_DEFAULT, "calloc");
	return allocate(1, bytes);
}

struct object *mock_make(enum sort sort, struct object *owner)
{
	struct object *o = mock_alloc(sizeof(*o));

	o->sort = sort;
	o->refs = o->handles = 1;
	o->owner = owner;
	if (owner) {
		owner->refs++;
		o->dispatch = owner->dispatch;
	}
	alive++;
	o->next_made = made;
	made = o;
	return o;
}

void mock_check(const void *handle, enum sort sort)
{
	const struct object *o = handle;

	if (!o || o->sort != sort || o->refs <= 0)
		misuses++;
}

/* Newer ones come first: a place may have been another's. */
struct object *mock_named(const unsigned char value[8])
{
	struct object *o = made;
	const void *handle;

	memcpy((void *)&handle, value, sizeof(handle));
	while (o && handle != o && (o->sort != SHARED || handle != o->bytes))
		o = o->next_made;
	return handle ? o : NULL;
}

/* A driver keeps what a command names until it has run. */
static void take_argument(struct object *event, int i, struct object *o)
{
	event->arguments[i] = o;
	misuses += o && o->refs <= 0;
	if (o && o->sort != SHARED)
		o->refs++;
}

/* Of a kernel that is what its arguments do. */
static void take_arguments(struct object *event)
{
	for (int i = 0; i < MOST_ARGUMENTS; i++)
		take_argument(event, i, mock_named(event->kernel->values[i]));
}

static void drop_arguments(struct object *event)
{
	for (int i = 0; i < MOST_ARGUMENTS; i++) {
		struct object *o = event->arguments[i];

		event->arguments[i] = NULL;
		if (o && o->sort != SHARED)
			mock_drop(o);
	}
}

void *mock_share(struct object *context, size_t size)
{
	struct object *o = mock_make(SHARED, context);

	o->bytes = mock_alloc(size);
	return o->bytes;
}

void mock_unshare(const void *memory)
{
	struct object *o = mock_named((const unsigned char *)&memory);

	if (o && o->sort == SHARED && o->refs > 0)
		mock_drop(o);
	else
		misuses++;
}

void mock_drop(struct object *o)
{
	if (!o)
		return;
	mock_before(o);
	if (--o->refs > 0)
		return;
	mock_after(o);
	if (o->sort == BUFFER && o->owner && o->owner->sort == BUFFER)
		o->bytes = NULL;
	else if (o->sort == BUFFER)
		device_bytes -= o->size;
	mock_drop(o->owner);
	for (int i = 0; i < MOST_WAITS; i++)
		mock_drop(o->waits_for[i]);
	mock_drop(o->before);
	mock_drop(o->kernel);
	mock_drop(o->last);
	drop_arguments(o);
	/* Of shared memory the place stays taken: what still names it must be found out. */
	if (o->sort != SHARED) {
		free(o->bytes);
		o->bytes = NULL;
	}
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
			mock_probe_begin(&probe, h, mock_lanes,
			                 &(struct mock_item){ h->slice_begin + i / event->local,
			                                      (uint32_t)(i % event->local),
			                                      items_of_group(event, i),
			                                      (uint32_t)event->local });
		update_item(a, event->offset + i, h ? &probe : NULL);
	}
}

static bool is_free(const struct object *event)
{
	for (int i = 0; i < MOST_WAITS; i++)
		if (event->waits_for[i] && event->waits_for[i]->status > CL_COMPLETE)
			return false;
	return !event->before || event->before->status <= CL_COMPLETE;
}

static void run(struct object *event)
{
	for (int i = 0; i < MOST_ARGUMENTS; i++)
		misuses += event->arguments[i] && event->arguments[i]->refs <= 0;
	if (event->kernel && strcmp(event->kernel->name, "update") == 0)
		run_update(event);
	if (event->kernel && strcmp(event->kernel->name, "warpline_keep") == 0)
		memcpy(argument(event->kernel, 0)->bytes, event->kernel->values[1], 8);
	if (event->to)
		memcpy(event->to, event->from, event->size);
	if (event->ends)
		mock_unshare(event->ends);
	drop_arguments(event);
}

/* A command comes after it was enqueued, and after all that it waits for. */
static void begin(const struct object *event)
{
	mock_after(event);
	for (int i = 0; i < MOST_WAITS; i++)
		if (event->waits_for[i])
			mock_after(event->waits_for[i]);
	if (event->before)
		mock_after(event->before);
}

/* Tell who asked for it; the lock is held, but not meanwhile. */
static void tell(struct object *event)
{
	for (int i = 0; i < MOST_CALLBACKS; i++) {
		struct mock_callback callback = event->callbacks[i];

		event->callbacks[i].run = NULL;
		if (!callback.run)
			continue;
		mock_after(event);
		mock_let_go();
		callback.run((cl_event)event, CL_COMPLETE, callback.data);
		mock_hold();
	}
}

void mock_call_back(struct object *event, struct mock_callback callback)
{
	mock_before(event);
	for (int i = 0; i < MOST_CALLBACKS; i++) {
		if (event->callbacks[i].run)
			continue;
		event->callbacks[i] = callback;
		break;
	}
	if (event->status <= CL_COMPLETE)
		tell(event);
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
		begin(event);
		run(event);
		event->status = CL_COMPLETE;
		mock_before(event);
		mock_before(event->queue);
		mock_wake();
		tell(event);
		mock_drop(event);
		at = &pending;
	}
}

/* What must be done before. */
static void set_waits(struct object *event, struct object *queue, const struct mock_command *c)
{
	if (!queue->is_unordered) {
		event->before = queue->last; /* the queue's reference moves here */
		queue->last = event;
		event->refs++;
	}
	for (cl_uint i = 0; i < c->wait_count && i < MOST_WAITS; i++) {
		mock_check(c->wait_list[i], EVENT);
		event->waits_for[i] = (struct object *)c->wait_list[i];
		event->waits_for[i]->refs++;
	}
}

void mock_enqueue(struct object *queue, const struct mock_command *command)
{
	const struct mock_command *c = command;
	struct object *event = mock_make(EVENT, NULL), **end = &pending;

	event->dispatch = queue->dispatch;
	event->status = CL_QUEUED;
	if (c->kernel) { /* arguments as they are now */
		event->kernel = mock_make(KERNEL, c->kernel->owner);
		memcpy(event->kernel->name, c->kernel->name, sizeof(c->kernel->name));
		memcpy(event->kernel->values, c->kernel->values, sizeof(c->kernel->values));
		take_arguments(event);
	}
	for (int i = 0; i < 2 && !c->kernel; i++)
		take_argument(event, i, c->buffers[i]);
	event->offset = c->range.offset ? *c->range.offset : 0;
	event->global = c->range.global ? *c->range.global : 1;
	event->local = c->range.local ? *c->range.local : 1;
	event->to = c->to;
	event->from = c->from;
	event->ends = c->ends;
	event->size = c->bytes;
	event->queue = queue;
	event->handles = c->out != NULL;
	set_waits(event, queue, c);
	event->refs += c->is_blocking;
	if (c->out) {
		*c->out = (cl_event)event;
		event->refs++;
	}
	while (*end)
		end = &(*end)->next_pending;
	*end = event;
	mock_before(event);
	mock_pump();
	if (!c->is_blocking)
		return;
	mock_wait(event);
	mock_drop(event);
}

void mock_wait(const struct object *event)
{
	while (event->status > CL_COMPLETE)
		mock_sleep();
	mock_after(event);
}

static bool is_busy(const struct object *queue)
{
	const struct object *event = pending;

	while (event && event->queue != queue)
		event = event->next_pending;
	return event;
}

void mock_finish(const struct object *queue)
{
	while (is_busy(queue))
		mock_sleep();
	mock_after(queue);
}

void mock_driver_reset(void)
{
	mock_hold();
	while (made) {
		struct object *next = made->next_made;

		if (!made->owner || made->owner->sort != BUFFER)
			free(made->bytes);
		free(made);
		made = next;
	}
	pending = NULL;
	alive = misuses = 0;
	device_bytes = 0;
	mock_let_go();
}

int mock_driver_alive(void)
{
	int count;

	mock_hold();
	count = alive;
	mock_let_go();
	return count;
}

int mock_driver_misuses(void)
{
	int count;

	mock_hold();
	count = misuses;
	mock_let_go();
	return count;
}
