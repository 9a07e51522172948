/* SPDX-License-Identifier: Apache-2.0 */
#include "text_mangle.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

/* Names as clang 14 mangles them; the parameters by hand, from the builtins' declarations. */
static const struct {
	const char *symbol, *text;
} rows[] = {
	{ "_Z13get_global_idj", "get_global_id(uint)" },
	{ "_Z12get_work_dimv", "get_work_dim()" },
	{ "_Z3maxDv4_iS_", "max(int4, int4)" },
	{ "_Z5fractDv4_fPU3AS1S_", "fract(float4, __global float4 *)" },
	{ "_Z6vload4mPU3AS2Kf", "vload4(ulong, const __constant float *)" },
	{ "_Z6sincosfPf", "sincos(float, __private float *)" },
	{ "_Z10atomic_addPU3AS1Vjj", "atomic_add(volatile __global uint *, uint)" },
	{ "_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event",
	  "async_work_group_copy(__local float *, const __global float *, ulong, event_t)" },
	{ "_Z17wait_group_eventsiP9ocl_event", "wait_group_events(int, __private event_t *)" },
	{ "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f",
	  "read_imagef(__read_only image2d_t, sampler_t, float2)" },
	{ "_Z20atomic_load_explicitPU3AS4VU7_Atomici12memory_order",
	  "atomic_load_explicit(volatile __generic atomic_int *, memory_order)" },
	{ "_Z7lgammarDhPDh", "lgammar(half, __private half *)" },
	/* The second pointer is a pointer to the first one's pointee: S_, qualified. */
	{ "_Z1fPU3AS1KiS0_PS_",
	  "f(const __global int *, const __global int *, const __global int *)" },
};

static void parameters_are_those_of_the_declaration(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text_mangle m;
		char text[512];
		int at;

		assert_true(text_mangle_read(&m, rows[i].symbol));
		at = snprintf(text, sizeof(text), "%.*s(", (int)m.length, m.name);
		for (unsigned p = 0; p < m.parameter_count; p++)
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%s", p ? ", " : "",
			               m.parameters[p].text);
		snprintf(text + at, sizeof(text) - (size_t)at, ")");
		assert_string_equal(text, rows[i].text);
	}
}

static void what_is_no_builtin_is_not_read(void **state)
{
	static const char *const symbols[] = { "printf",
		                               "_Z",
		                               "_Z3max",
		                               "_Z9max",
		                               "_Z3maxQ",
		                               "_Z3maxS_",
		                               "_Z3maxDv99_f",
		                               "_Z3max3foo",
		                               "_Z3maxvi",
		                               "_Z3maxPU3AS9f",
		                               "_Z3maxPPPPPPPPPPPPf" };
	struct text_mangle m;

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		assert_false(text_mangle_read(&m, symbols[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_those_of_the_declaration),
		cmocka_unit_test(what_is_no_builtin_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
