/* SPDX-License-Identifier: Apache-2.0 */
#include "nvrtc_program.h"

#include "cmocka_all.h"
#include "err.h"
#include "str.h"

#include <string.h>

enum { MOST = 4 };

/* What is made of options, or the log. */
static int read_options(const char *const *options, struct str *out, struct err *err)
{
	size_t count = 0;

	while (count < MOST && options[count])
		count++;
	str_init(out, 1 << 16);
	return nvrtc_options_read(out, options, count, err);
}

/* The ways of writing are those of the user guide, chapter "Supported Compile Options". */
static void every_way_of_writing_an_option_is_read(void **state)
{
	static const struct {
		const char *options[MOST + 1], *words;
	} rows[] = {
		{ { NULL }, "" },
		{ { "--gpu-architecture=compute_60" }, "'-arch=compute_60' " },
		{ { "--gpu-architecture", "sm_90a" }, "'-arch=sm_90a' " },
		{ { "-arch=sm_75", "-std", "c++17" }, "'-arch=sm_75' '-std=c++17' " },
		{ { "-DA=1", "-D B", "-D=C" }, "'-DA=1' '-DB' '-DC' " },
		{ { "-D", "A=1", "--define-macro=B", "--undefine-macro=C" },
		  "'-DA=1' '-DB' '-UC' " },
		{ { "-I/x y", "--include-path=/z", "-I", "/w" }, "'-I/x y' '-I/z' '-I/w' " },
		{ { "--pre-include=a.h", "-include=b.h", "-include", "c.h" },
		  "'--pre-include=a.h' '--pre-include=b.h' '--pre-include=c.h' " },
		{ { "-DS='a'" }, "'-DS='\\''a'\\''' " },
		{ { "--ftz=true", "-fmad=true", "-use_fast_math", "-w" }, "" },
		{ { "--fmad=false", "-fmad", "false" },
		  "'-ffp-contract=off' '-ffp-contract=off' " },
		{ { "-G", "-rdc=true", "-rdc=false", "-dc" },
		  "'-D__CUDACC_DEBUG__' '-D__CUDACC_RDC__' '-D__CUDACC_RDC__' " },
		{ { "--maxrregcount=32", "-Xptxas", "-v", "--minimal" },
		  "'-D__CUDACC_RTC_MINIMAL__' " },
		{ { "-default-device", "--device-int128", "--diag-suppress=177" },
		  "'-D__CUDACC_RTC_INT128__' " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		static const char first[] = "'-D__CUDACC_RTC__' ";
		struct err err = { 0 };
		struct str out;

		assert_int_equal(read_options(rows[i].options, &out, &err), 0);
		assert_memory_equal(out.text, first, strlen(first));
		assert_string_equal(out.text + strlen(first), rows[i].words);
		str_release(&out);
	}
}

static void what_nvrtc_refuses_is_refused_in_its_words(void **state)
{
	static const struct {
		const char *options[MOST + 1], *log;
	} rows[] = {
		{ { "-fplugin=x" }, "nvrtc: error: unrecognized option -fplugin=x found" },
		{ { "-o/x" }, "nvrtc: error: unrecognized option -o/x found" },
		{ { "-w", "-O3" }, "nvrtc: error: unrecognized option -O3 found" },
		{ { "" }, "nvrtc: error: unrecognized option  found" },
		{ { "x.cu" }, "nvrtc: error: unrecognized option x.cu found" },
		{ { "-Xclang" }, "nvrtc: error: unrecognized option -Xclang found" },
		{ { "--gpu-architectures=sm_75" },
		  "nvrtc: error: unrecognized option --gpu-architectures=sm_75 found" },
		{ { "-G=1" }, "nvrtc: error: unrecognized option -G=1 found" },
		{ { "-arch=75" }, "nvrtc: error: invalid value for --gpu-architecture (-arch)" },
		{ { "-arch" }, "nvrtc: error: invalid value for --gpu-architecture (-arch)" },
		{ { "-arch=sm_" }, "nvrtc: error: invalid value for --gpu-architecture (-arch)" },
		{ { "-std=gnu++17" }, "nvrtc: error: invalid value for --std (-std)" },
		{ { "--ftz=yes" }, "nvrtc: error: invalid value for --ftz (-ftz)" },
		{ { "-maxrregcount=all" },
		  "nvrtc: error: invalid value for --maxrregcount (-maxrregcount)" },
		{ { "-DA", "-D" }, "nvrtc: error: invalid value for --define-macro (-D)" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str out;

		assert_int_equal(read_options(rows[i].options, &out, &err), ERR_USAGE);
		assert_string_equal(err.msg, rows[i].log);
		str_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_of_writing_an_option_is_read),
		cmocka_unit_test(what_nvrtc_refuses_is_refused_in_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
