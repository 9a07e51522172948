/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_state.h"

#include "array.h"
#include "program_build.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

struct kernel_state *kernel_state_create(struct program_state *owner, struct program_build *build,
                                         const char *name, cl_uint count)
{
	struct kernel_state *k = calloc(1, sizeof(*k));

	if (k) {
		k->app_refs = 1;
		k->owner = owner;
		k->value_count = count;
		k->name = str_copy(name, NULL);
		k->values = array_alloc(count, sizeof(*k->values), "kernel arguments", NULL);
	}
	if (!k || !k->name || !k->values) {
		kernel_state_free(k);
		return NULL;
	}
	k->build = build;
	return k;
}

void kernel_state_free(void *kernel_state)
{
	struct kernel_state *k = kernel_state;

	if (!k)
		return;
	program_build_release(k->build);
	kernel_values_free(k->values, k->value_count);
	kernel_facts_release(k->facts);
	free(k->name);
	free(k);
}

bool kernel_state_set(struct kernel_state *k, cl_uint index, size_t bytes, const void *data,
                      enum pointer_call pointer)
{
	struct kernel_value *value;

	if (index >= k->value_count)
		return false;
	value = &k->values[index];
	if (data && (!value->data || value->bytes != bytes)) {
		free(value->data);
		value->data = malloc(bytes ? bytes : 1);
	} else if (!data) {
		free(value->data);
		value->data = NULL;
	}
	value->bytes = bytes;
	value->pointer = pointer;
	value->is_set = !data || value->data;
	if (value->data)
		memcpy(value->data, data, bytes);
	return value->is_set;
}

void *kernel_value_handle(const struct kernel_value *value)
{
	void *handle = NULL;

	if (value->data && value->bytes == sizeof(handle))
		memcpy(&handle, value->data, sizeof(handle));
	return handle;
}

/* A copy of a fact, in the place of another. */
static bool set_fact(struct kernel_fact *to, cl_kernel_exec_info name, size_t bytes,
                     const void *data)
{
	unsigned char *copy = malloc(bytes ? bytes : 1);

	if (!copy)
		return false;
	if (bytes)
		memcpy(copy, data, bytes);
	free(to->data);
	*to = (struct kernel_fact){ name, bytes, copy };
	return true;
}

void kernel_state_tell(struct kernel_state *k, cl_kernel_exec_info name, size_t bytes,
                       const void *data)
{
	size_t i = 0;

	while (i < KERNEL_FACTS && k->facts[i].data && k->facts[i].name != name)
		i++;
	if (i == KERNEL_FACTS || !set_fact(&k->facts[i], name, bytes, data))
		k->has_lost_facts = true;
}

bool kernel_facts_copy(struct kernel_fact *to, const struct kernel_fact *from)
{
	for (size_t i = 0; i < KERNEL_FACTS; i++)
		if (from[i].data && !set_fact(&to[i], from[i].name, from[i].bytes, from[i].data))
			return false;
	return true;
}

void kernel_facts_release(struct kernel_fact *facts)
{
	for (size_t i = 0; i < KERNEL_FACTS; i++)
		free(facts[i].data);
}

bool kernel_values_copy(struct kernel_value *to, const struct kernel_value *from, cl_uint count)
{
	for (cl_uint i = 0; i < count; i++) {
		unsigned char *data = NULL;

		if (from[i].data) {
			data = malloc(from[i].bytes ? from[i].bytes : 1);
			if (!data)
				return false;
			memcpy(data, from[i].data, from[i].bytes);
		}
		free(to[i].data);
		to[i] = from[i];
		to[i].data = data;
	}
	return true;
}

void kernel_values_free(struct kernel_value *values, cl_uint count)
{
	for (cl_uint i = 0; values && i < count; i++)
		free(values[i].data);
	free(values);
}
