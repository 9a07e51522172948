/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_origin.h"

#include "err.h"

#include <stdlib.h>

/* Of a register: nothing yet, one parameter, or several. It only ever goes up. */
enum { NOTHING = 0, SEVERAL = -1 };

enum { ROUNDS_MAX = 64 };

/* What parameter `number` gives to a register. */
static int32_t of_parameter(const struct ptx_module *m, const struct ptx_module_function *f,
                            const bool *is_pointer, uint32_t number)
{
	bool has_pointers = false;

	if (is_pointer)
		return is_pointer[number] ? (int32_t)number + 1 : NOTHING;
	for (size_t i = 0; i < f->parameter_count; i++)
		has_pointers = has_pointers || ptx_module_is_pointer(m, f, i);
	return (has_pointers ? ptx_module_is_pointer(m, f, number)
	                     : ptx_module_is_wide(m, f, number))
	               ? (int32_t)number + 1
	               : NOTHING;
}

static int32_t join(int32_t a, int32_t b)
{
	if (a == NOTHING || a == b)
		return b;
	return b == NOTHING ? a : SEVERAL;
}

/* One round over all flows; whether anything changed. */
static bool flow(const struct ptx_module *m, const struct ptx_module_function *f,
                 const int32_t *given, int32_t *of)
{
	const struct ptx_flow *flows = m->flows.data;
	bool has_changed = false;

	for (size_t i = f->first_flow; i < f->first_flow + f->flow_count; i++) {
		uint32_t from = flows[i].from, to = flows[i].to;
		int32_t now =
			join(of[to], from & PTX_FROM_PARAMETER ? given[from & ~PTX_FROM_PARAMETER]
		                                               : of[from]);

		has_changed = has_changed || now != of[to];
		of[to] = now;
	}
	return has_changed;
}

int32_t *ptx_origin_of_loads(const struct ptx_module *m, const struct ptx_module_function *f,
                             const bool *is_pointer, struct err *err)
{
	int32_t *given = array_alloc(f->parameter_count, sizeof(*given), "parameters", err);
	int32_t *of = array_alloc(f->register_count, sizeof(*of), "registers", err);
	int32_t *origins = array_alloc(f->load_count, sizeof(*origins), "loads", err);
	bool is_moving = given && of && origins;

	for (uint32_t i = 0; is_moving && i < f->parameter_count; i++)
		given[i] = of_parameter(m, f, is_pointer, i);
	for (int round = 0; is_moving && round < ROUNDS_MAX; round++)
		is_moving = flow(m, f, given, of);
	for (size_t i = 0; given && of && origins && i < f->load_count; i++) {
		uint32_t address = ptx_module_load(m, f->first_load + i)->address;
		int32_t from = address == PTX_NONE || is_moving ? NOTHING : of[address];

		origins[i] = from > 0 ? from - 1 : PTX_ORIGIN_UNKNOWN;
	}
	if (!given || !of) {
		free(origins);
		origins = NULL;
	}
	free(given);
	free(of);
	return origins;
}
