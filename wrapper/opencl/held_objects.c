/* SPDX-License-Identifier: Apache-2.0 */
#include "held_objects.h"

#include "kernel_state.h"
#include "kernel_table.h"
#include "opencl_session.h"
#include "svm_hold.h"

#include <string.h>

#define LIMIT_HELD (1u << 20)
struct held_object {
	enum held_sort sort;
	void *handle;
};

void held_objects_init(struct held_objects *h)
{
	array_init(&h->list, sizeof(struct held_object), LIMIT_HELD, "objects of a command");
}

/* An address in no known allocation needs no hold. */
static bool retain(struct session *s, struct held_object *one)
{
	const struct opencl_real *real = opencl_real();

	switch (one->sort) {
	case HELD_MEMORY:
		return real->clRetainMemObject(one->handle) == CL_SUCCESS;
	case HELD_SAMPLER:
		return real->clRetainSampler(one->handle) == CL_SUCCESS;
	case HELD_QUEUE:
		return real->clRetainCommandQueue(one->handle) == CL_SUCCESS;
	case HELD_KERNEL:
		return real->clRetainKernel(one->handle) == CL_SUCCESS;
	case HELD_SHARED:
		return svm_hold_begin(s, one->handle, &one->handle);
	case HELD_NOTHING:
		break;
	}
	return true;
}

static void release(struct session *s, const struct held_object *one)
{
	const struct opencl_real *real = opencl_real();

	switch (one->sort) {
	case HELD_MEMORY:
		(void)real->clReleaseMemObject(one->handle);
		break;
	case HELD_SAMPLER:
		(void)real->clReleaseSampler(one->handle);
		break;
	case HELD_QUEUE:
		(void)real->clReleaseCommandQueue(one->handle);
		break;
	case HELD_KERNEL:
		(void)real->clReleaseKernel(one->handle);
		break;
	case HELD_SHARED:
		svm_hold_end(s, one->handle);
		break;
	case HELD_NOTHING:
		break;
	}
}

bool held_objects_add(struct session *s, struct held_objects *h, enum held_sort sort, void *handle)
{
	struct held_object *one;

	if (sort == HELD_NOTHING || !handle)
		return true;
	one = array_push(&h->list, 1, NULL);
	if (!one)
		return false;
	*one = (struct held_object){ sort, handle };
	if (retain(s, one))
		return true;
	h->list.count--;
	return false;
}

/* Returns the sort of the object that the recorder has seen created under this handle. */
static enum held_sort known_sort(struct session *s, const void *handle)
{
	enum held_sort sort = HELD_NOTHING;
	const struct memory_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->memory, handle);
	if (state)
		sort = state->sort;
	else if (handle_map_get(&opencl_session(s)->queues, handle))
		sort = HELD_QUEUE;
	session_unlock(s);
	return sort;
}

/* Returns the sort of an argument from its type, the last word of "__read_only image2d_t". */
static enum held_sort sort_of_type(const struct kernel_argument *argument)
{
	static const struct {
		const char *type;
		enum held_sort sort;
	} rows[] = {
		{ "image1d_t", HELD_MEMORY },
		{ "image1d_array_t", HELD_MEMORY },
		{ "image1d_buffer_t", HELD_MEMORY },
		{ "image2d_t", HELD_MEMORY },
		{ "image2d_array_t", HELD_MEMORY },
		{ "image2d_depth_t", HELD_MEMORY },
		{ "image2d_array_depth_t", HELD_MEMORY },
		{ "image2d_msaa_t", HELD_MEMORY },
		{ "image2d_array_msaa_t", HELD_MEMORY },
		{ "image2d_msaa_depth_t", HELD_MEMORY },
		{ "image2d_array_msaa_depth_t", HELD_MEMORY },
		{ "image3d_t", HELD_MEMORY },
		{ "sampler_t", HELD_SAMPLER },
		{ "queue_t", HELD_QUEUE },
	};
	const char *type = argument->type ? argument->type : "", *last = strrchr(type, ' ');

	if (argument->space == SPACE_GLOBAL || argument->space == SPACE_CONSTANT ||
	    !strncmp(type, "pipe ", 5) || strstr(type, " pipe "))
		return HELD_MEMORY;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(last ? last + 1 : type, rows[i].type))
			return rows[i].sort;
	return HELD_NOTHING;
}

bool held_objects_add_value(struct session *s, struct held_objects *h,
                            const struct kernel_argument *argument,
                            const struct kernel_value *value)
{
	void *handle = kernel_value_handle(value);
	enum held_sort sort;

	if (!handle)
		return true;
	if (value->pointer != POINTER_BY_NONE)
		return held_objects_add(s, h, HELD_SHARED, handle);
	sort = known_sort(s, handle);
	return held_objects_add(s, h, sort ? sort : sort_of_type(argument), handle);
}

bool held_objects_add_fact(struct session *s, struct held_objects *h,
                           const struct kernel_fact *fact)
{
	void *handle;

	if (!fact->data || (fact->name != CL_KERNEL_EXEC_INFO_SVM_PTRS &&
	                    fact->name != CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM &&
	                    fact->name != CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL))
		return true;
	for (size_t at = 0; at + sizeof(handle) <= fact->bytes; at += sizeof(handle)) {
		memcpy(&handle, fact->data + at, sizeof(handle));
		if (!held_objects_add(s, h, HELD_SHARED, handle))
			return false;
	}
	return true;
}

void held_objects_release(struct session *s, struct held_objects *h)
{
	const struct held_object *list = h->list.data;

	for (size_t i = 0; i < h->list.count; i++)
		release(s, &list[i]);
	array_release(&h->list);
}
