/* SPDX-License-Identifier: Apache-2.0 */
#include "mangle.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

/* Names as clang mangles them; the parameters by hand, from the builtins' declarations. */
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
	/* A pointee in private memory is a qualified type. */
	{ "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPii12memory_orderS4_"
	  "12memory_scope",
	  "atomic_compare_exchange_strong_explicit(volatile __global atomic_int *, __private int "
	  "*, "
	  "int, memory_order, memory_order, memory_scope)" },
	{ "_Z1fPiS0_12memory_orderS1_",
	  "f(__private int *, __private int *, memory_order, memory_order)" },
	{ "_Z1gPDv4_fS1_12memory_orderS2_",
	  "g(__private float4 *, __private float4 *, memory_order, memory_order)" },
	{ "_Z1hPKiPi12memory_orderS3_",
	  "h(const __private int *, __private int *, memory_order, memory_order)" },
	{ "_Z1eP9ocl_eventS1_12memory_orderS2_",
	  "e(__private event_t *, __private event_t *, memory_order, memory_order)" },
};

static void parameters_are_those_of_the_declaration(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct mangle m;
		char text[512];
		int at;

		assert_true(mangle_read(&m, rows[i].symbol));
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
	struct mangle m;

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		assert_false(mangle_read(&m, symbols[i]));
}

static void a_pointer_says_what_it_points_to(void **state)
{
	static const struct {
		const char *symbol;
		unsigned index, bytes, lanes; /* 0 bytes: it does not say */
	} pointees[] = {
		{ "_Z5fractDv4_fPU3AS1S_", 1, 4, 4 },
		{ "_Z5frexpDv3_dPU3AS4Dv3_i", 1, 4, 3 },
		{ "_Z6vload4mPU3AS2Kf", 1, 4, 1 },
		{ "_Z11vload_half2mPU3AS1KDh", 1, 2, 1 },
		{ "_Z20atomic_load_explicitPU3AS4VU7_Atomici12memory_order", 0, 4, 1 },
		{ "_Z20atomic_load_explicitPU3AS4VU7_Atomici12memory_order", 1, 0, 0 },
		{ "_Z17wait_group_eventsiP9ocl_event", 1, 0, 0 },
		{ "_Z3fooPPf", 0, 0, 0 },
		{ "_Z3fooPf", 1, 0, 0 },
		{ "printf", 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(pointees) / sizeof(pointees[0]); i++) {
		struct mangle_parameter p;
		bool is_said = mangle_pointee(pointees[i].symbol, pointees[i].index, &p);

		assert_int_equal(is_said, pointees[i].bytes != 0);
		if (!is_said)
			continue;
		assert_int_equal(p.element_bytes, pointees[i].bytes);
		assert_int_equal(p.lanes, pointees[i].lanes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_those_of_the_declaration),
		cmocka_unit_test(what_is_no_builtin_is_not_read),
		cmocka_unit_test(a_pointer_says_what_it_points_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
