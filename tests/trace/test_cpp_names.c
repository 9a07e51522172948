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
	char symbol[1200] = "_Z1fSt4pairIiiE", *end = symbol + strlen(symbol);

	for (int i = 0; i < 40; i++) {
		int last = i - 1;

		end += i ? sprintf(end, "St4pairIS%c_S%c_E",
		                   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[last % 36],
		                   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[last % 36])
		         : sprintf(end, "St4pairIS_S_E");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_the_source),
		cmocka_unit_test(a_name_that_would_grow_without_end_stays),
		cmocka_unit_test(kernels_of_one_name_get_their_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
