/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_state.h"

#include "array.h"
#include "program_build.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

struct kernel_state *kernel_state_create(cl_program program, struct program_build *build,
                                         const char *name, cl_uint count)
{
	struct kernel_state *k = calloc(1, sizeof(*k));

	if (k) {
		k->app_refs = 1;
		k->program = program;
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
	free(k->name);
	free(k);
}

bool kernel_state_set(struct kernel_state *k, cl_uint index, size_t bytes, const void *data,
                      bool is_svm)
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
	value->is_svm = is_svm;
	value->is_set = !data || value->data;
	if (value->data)
		memcpy(value->data, data, bytes);
	return value->is_set;
}

bool kernel_values_copy(struct kernel_value *to, const struct kernel_value *from, cl_uint count)
{
	for (cl_uint i = 0; i < count; i++) {
		to[i] = from[i];
		if (!from[i].data)
			continue;
		to[i].data = malloc(from[i].bytes ? from[i].bytes : 1);
		if (!to[i].data)
			return false;
		memcpy(to[i].data, from[i].data, from[i].bytes);
	}
	return true;
}

void kernel_values_free(struct kernel_value *values, cl_uint count)
{
	for (cl_uint i = 0; values && i < count; i++)
		free(values[i].data);
	free(values);
}
