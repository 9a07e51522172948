/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "nvrtc_program.h"

#include <stdlib.h>
#include <string.h>

static void headers_stand_where_they_are_included(void **state)
{
	static const char *const texts[] = { "#pragma once\nA\n#include \"b.h\"", "B",
		                             "#include <self.h>\n" };
	static const char *const names[] = { "dir/a.h", "b.h", "self.h" };
	const struct nvrtc_headers headers = { texts, names, 3 };
	static const struct {
		const char *source, *expanded;
	} rows[] = {
		{ "", "" },
		{ "x", "x\n" },
		{ "#include \"b.h\"\nx\n", "\nB\nx\n" },
		{ " # include <dir/a.h>\nx\n", "\n#pragma once\nA\n\nB\nx\n" },
		{ "#include <other.h>\n", "#include <other.h>\n" },
		{ "#include \"b.hpp\"\n#include", "#include \"b.hpp\"\n#include\n" },
		{ "// #include \"b.h\"", "// #include \"b.h\"\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = nvrtc_source_expand(rows[i].source, &headers, NULL);

		assert_string_equal(text, rows[i].expanded);
		free(text);
	}
}

static void a_header_in_itself_ends(void **state)
{
	static const char *const texts[] = { "S\n#include \"s.h\"\n" };
	static const char *const names[] = { "s.h" };
	const struct nvrtc_headers headers = { texts, names, 1 };
	char *text = nvrtc_source_expand("#include \"s.h\"\n", &headers, NULL);
	size_t count = 0;

	for (const char *at = text; (at = strchr(at, 'S')); at++)
		count++;
	assert_int_equal(count, 31);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_stand_where_they_are_included),
		cmocka_unit_test(a_header_in_itself_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
