/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of kernels: what c++filt says of these, without "void " and parameters.
 */
#include "cmocka_all.h"

#include "cpp_names.h"
#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void names_are_those_of_the_source(void **state)
{
	static const struct {
		const char *symbol, *name, *full;
	} rows[] = {
		{ "_Z7moveAoSP8Particlefi", "moveAoS", "moveAoS(Particle*, float, int)" },
		{ "_ZN2ns6reduceIiLj256EEEvPT_", "ns::reduce<int, 256u>",
		  "ns::reduce<int, 256u>(int*)" },
		{ "_ZN12_GLOBAL__N_14copyEPf", "(anonymous namespace)::copy",
		  "(anonymous namespace)::copy(float*)" },
		{ "_ZL4copyPf", "copy", "copy(float*)" },
		{ "_Z5applyPFvifE", "apply", "apply(void (*)(int, float))" },
		{ "vadd", NULL, NULL },
		{ "_Z9abc", NULL, NULL },
		{ "_Z", NULL, NULL },
		{ "", NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *name = cpp_name(rows[i].symbol, false),
		     *full = cpp_name(rows[i].symbol, true);

		if (rows[i].name) {
			assert_non_null(name);
			assert_string_equal(name, rows[i].name);
			assert_string_equal(full, rows[i].full);
		} else {
			assert_null(name);
			assert_null(full);
		}
		free(name);
		free(full);
	}
}

/* Each level holds the one before twice: 2^40 times "int", if it were let. */
static void a_name_that_would_grow_without_end_stays(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char symbol[1200] = "_Z1fSt4pairIiiESt4pairIS_S_E";

	for (int i = 0; i < 39; i++) {
		size_t length = strlen(symbol);

		(void)snprintf(symbol + length, sizeof(symbol) - length, "St4pairIS%c_S%c_E",
		               digits[i % 36], digits[i % 36]);
	}
	assert_null(cpp_name(symbol, false));
}

static void kernels_of_one_name_get_their_parameters(void **state)
{
	static const char *const symbols[] = { "_Z4vaddPKfS0_Pf", "mul",      "_Z4vaddPKdS0_Pd",
		                               "_Z3subPf",        "_Z3subPf", "_Z3mulPf" };
	static const char *const names[] = { "vadd(float const*, float const*, float*)",
		                             "mul",
		                             "vadd(double const*, double const*, double*)",
		                             "sub",
		                             "sub",
		                             "mul(float*)" };
	struct recorded_kernel kernels[6] = { 0 };

	for (size_t i = 0; i < 6; i++)
		kernels[i].table.name = strdup(symbols[i]);
	cpp_names_apply(kernels, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(kernels[i].table.name, names[i]);
		assert_string_equal(kernel_table_symbol(&kernels[i].table), symbols[i]);
		kernel_table_release(&kernels[i].table);
	}
	cpp_names_apply(NULL, 0);
}

static void arguments_are_named_by_the_expressions_of_their_accesses(void **state)
{
	static const struct {
		const char *name, *first, *second, *expected;
		uint32_t space;
	} rows[] = {
		{ "", "in[y * width + x]", "in[0]", "in", 1 },
		{ "_Z4copyPf_param_1", "*out2", NULL, "", 1 },
		{ "_Z4copyPf_param_1", "*out2[i]", "out2->x", "out2", 1 },
		{ "", "atomicAdd(odd, 1)", NULL, "odd", 1 },
		{ "", "atomicMax(&best[i], x)", "best[0]", "best", 1 },
		{ "", "atomicAdd(p + i, 1)", NULL, "", 1 },
		{ "", "p.x", "q.x", "", 1 },
		{ "", "p.x", "pp.x", "", 1 },
		{ "", "p[1]", "", "", 1 },
		{ "", "(a + b)[i]", NULL, "", 1 },
		{ "", "f(x)", NULL, "", 1 },
		{ "", "0[a]", NULL, "", 1 },
		{ "", "taken[i]", NULL, "", 1 },
		{ "data_param_x", "d[i]", NULL, "data_param_x", 1 },
		{ "mine", "d[i]", NULL, "mine", 1 },
		{ "", "d[i]", NULL, "", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kernel_argument arguments[2] = { { strdup(rows[i].name), NULL, rows[i].space,
			                                  true },
			                                { strdup("taken"), NULL, 1, true } };
		struct site sites[2] = { { .expression = (char *)(uintptr_t)rows[i].first },
			                 { .expression = (char *)(uintptr_t)rows[i].second } };
		struct kernel_table t = { .arguments = arguments,
			                  .argument_count = 2,
			                  .sites = sites,
			                  .site_count = rows[i].second ? 2 : 1 };
		const char *expected = *rows[i].expected ? rows[i].expected : rows[i].name;

		assert_int_equal(cpp_names_guess_arguments(&t), 0);
		assert_string_equal(arguments[0].name, expected);
		assert_string_equal(arguments[1].name, "taken");
		free(arguments[0].name);
		free(arguments[1].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_the_source),
		cmocka_unit_test(a_name_that_would_grow_without_end_stays),
		cmocka_unit_test(kernels_of_one_name_get_their_parameters),
		cmocka_unit_test(arguments_are_named_by_the_expressions_of_their_accesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
