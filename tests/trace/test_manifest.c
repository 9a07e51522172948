/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "recording.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lines of a manifest that is complete, less some, plus some. */
#define BEGIN                                                                                      \
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":2,"                  \
	"\"endian\":\"little\",\"tool_version\":\"1\",\"command\":[]}\n"
#define DEVICE                                                                                     \
	"{\"type\":\"device\",\"id\":0,\"name\":\"\",\"vendor\":\"\",\"version\":\"\","            \
	"\"driver\":\"\",\"platform\":\"\",\"address_bits\":64}\n"
#define PROGRAM                                                                                    \
	"{\"type\":\"program\",\"id\":0,\"source_file\":null,\"options\":\"\","                    \
	"\"origin\":\"source\"}\n"
#define BUFFER(id, parent)                                                                         \
	"{\"type\":\"buffer\",\"id\":" id ",\"bytes\":1,\"flags\":\"0x1\",\"parent\":" parent      \
	",\"origin_bytes\":0,\"svm_address\":\"0x0\"}\n"
#define TABLE(unrecorded)                                                                          \
	"{\"name\":\"k\",\"writes_unknown\":false,\"is_repeatable\":true,"                         \
	"\"is_irreducible\":false,\"has_conditional_barrier\":false,\"item_words\":0,\"least_"     \
	"words\":0,\"lanes\":0,\"records\":\"\",\"refusal\":null,\"sites\":[],\"loops\":[],"       \
	"\"arguments\":[],"                                                                        \
	"\"unrecorded\":[" unrecorded "]}"
#define KERNEL_OF(program, unrecorded)                                                             \
	"{\"type\":\"kernel\",\"id\":0,\"program\":" program                                       \
	",\"device\":0,\"door\":\"text\",\"reason\":null,\"table\":" TABLE(unrecorded) "}\n"
#define KERNEL KERNEL_OF("0", "")
#define LAUNCH_OF(kernel, global)                                                                  \
	"{\"type\":\"launch\",\"id\":0,\"kernel\":" kernel ",\"dimensions\":1,"                    \
	"\"global\":[" global                                                                      \
	"],\"local\":[1,1,1],\"offset\":[0,0,0],\"local_bytes\":0,\"groups_selected\":null}\n"
#define LAUNCH LAUNCH_OF("0", "1,1,1")
#define TRACED(file, dropped, arguments)                                                           \
	"{\"type\":\"fate\",\"launch\":0,\"fate\":\"traced\",\"file\":\"" file                     \
	"\",\"arguments\":[" arguments "],\"dropped_events\":" dropped                             \
	",\"totals\":{\"events\":0,\"accesses\":0,\"reads\":0,\"writes\":0,\"atomics\":0,"         \
	"\"barriers\":0,\"groups\":0,\"file_bytes\":0},\"device_ns\":0,\"device_bytes\":0}\n"
#define FATE       TRACED("launch-000000.wll", "0", "")
#define SKIPPED    "{\"type\":\"fate\",\"launch\":0,\"fate\":\"skipped\",\"reason\":\"r\"}\n"
#define UNSELECTED "{\"type\":\"fate\",\"launch\":0,\"fate\":\"unselected\"}\n"
#define COUNTED(counts)                                                                            \
	"{\"type\":\"fate\",\"launch\":0,\"fate\":\"counted\",\"counts\":[" counts                 \
	"],\"totals\":{\"events\":0,\"accesses\":0,\"reads\":0,\"writes\":0,\"atomics\":0,"        \
	"\"barriers\":0,\"groups\":0,\"file_bytes\":0},\"device_ns\":0,\"device_bytes\":0}\n"
#define NOTE         "{\"type\":\"note\",\"what\":\"w\",\"reason\":\"r\",\"count\":1}\n"
#define END          "{\"type\":\"end\"}\n"
#define EXIT         "{\"type\":\"exit\",\"status\":0}\n"
#define UNRECORDED   "{\"what\":\"w\",\"place\":[null,0,0]}"
#define UP_TO_KERNEL BEGIN DEVICE PROGRAM KERNEL
#define UP_TO_LAUNCH UP_TO_KERNEL LAUNCH

#define SUM(digits) ",\"sum\":\"0x" digits "\"}\n"
#define SUMMED(digits)                                                                             \
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":4,"                  \
	"\"endian\":\"little\",\"tool_version\":\"1\",\"command\":[]" SUM(digits)
#define SUMMED_END(digits) "{\"type\":\"end\"" SUM(digits)

static const struct {
	const char *text;
	int ret;
	const char *says;
} manifests[] = {
	/* Sums: XXH64 of what stands before them, by the library itself. */
	{ SUMMED("cbe79ffafe4869d7") SUMMED_END("ea3755fdd7e206bf"), 0, "" },
	{ SUMMED("cbe79ffafe4869d6"), ERR_FORMAT, ":1: the line is damaged: its sum is another" },
	{ SUMMED("cbe79ffafe4869d7") SUMMED_END("EA3755FDD7E206BF"), ERR_FORMAT, ":2: the line" },
	{ SUMMED("cbe79ffafe4869d7") END, ERR_FORMAT, ":2: expected a sum at the line's end" },
	{ BEGIN SUMMED_END("ea3755fdd7e206bf"), 0, "" },
	{ BEGIN SUMMED_END("0a3755fdd7e206bf"), ERR_FORMAT, ":2: the line is damaged" },
	{ BEGIN, 0, "" },
	{ UP_TO_LAUNCH FATE END EXIT, 0, "" },
	{ UP_TO_LAUNCH SKIPPED EXIT, 0, "" },
	{ UP_TO_LAUNCH UNSELECTED EXIT, 0, "" },
	{ UP_TO_LAUNCH COUNTED("") EXIT, 0, "" },
	{ UP_TO_LAUNCH COUNTED("1") EXIT, ERR_FORMAT, ":6: \"counts\": expected a number for" },
	{ UP_TO_LAUNCH "{\"type\":\"fate\",\"launch\":0,\"fate\":\"pending\"}\n", ERR_FORMAT,
	  ":6: \"fate\": expected one of" },
	{ UP_TO_LAUNCH UNSELECTED SKIPPED, ERR_FORMAT, ":7: launch 0 has a fate already" },
	{ BEGIN BUFFER("0", "-1") BUFFER("1", "0"), 0, "" },
	{ BEGIN "{\"type\":\"buf", 0, "" },
	{ "", ERR_FORMAT, "d/manifest.jsonl:1: expected a line of type recording" },
	{ "{\"type\"", ERR_FORMAT, "d/manifest.jsonl:1: expected a line" },
	{ END, ERR_FORMAT, "d/manifest.jsonl:1: expected a line of type recording first" },
	{ "{\"type\":\"recording\",\"magic\":\"x\"}\n", ERR_FORMAT, ":1: expected the mag" },
	{ "{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":1}\n", ERR_VERSION,
	  ":1: a version of recordings that is not known" },
	{ BEGIN BEGIN, ERR_FORMAT, ":2: unknown type 'recording'" },
	{ BEGIN "\n" END, ERR_FORMAT, ":2: expected a JSON object" },
	{ BEGIN "{\"type\":\"end\"} x\n", ERR_FORMAT, ":2: expected a JSON object" },
	{ BEGIN "[]\n", ERR_FORMAT, ":2: line: expected an object" },
	{ BEGIN "{}\n", ERR_FORMAT, ":2: line: \"type\": expected a string" },
	{ BEGIN "{\"type\":\"x\"}\n", ERR_FORMAT, ":2: unknown type 'x'" },
	{ BEGIN "{\"type\":\"end\",\"type\":\"end\"}\n", ERR_FORMAT, "duplicate" },
	{ BEGIN "{\"type\":\"device\"}\n", ERR_FORMAT, ":2: device: \"id\": expected" },
	{ BEGIN DEVICE DEVICE, ERR_FORMAT, ":3: \"id\": 0, expected 1" },
	{ BEGIN BUFFER("0", "0"), ERR_FORMAT, ":2: \"parent\": 0, expected an earlier" },
	{ BEGIN BUFFER("0", "-2"), ERR_FORMAT, ":2: buffer: \"parent\": expected" },
	{ BEGIN BUFFER("\"0xg\"", "-1"), ERR_FORMAT, ":2: buffer: \"id\": expected" },
	{ BEGIN DEVICE KERNEL, ERR_FORMAT, ":3: refers to number 0 of 0 programs" },
	{ BEGIN PROGRAM KERNEL, ERR_FORMAT, ":3: refers to number 0 of 0 devices" },
	{ BEGIN DEVICE PROGRAM KERNEL_OF("-1", ""), ERR_FORMAT, "\"program\": expected" },
	{ UP_TO_KERNEL LAUNCH_OF("1", "1,1,1"), ERR_FORMAT, "number 1 of 1 kernels" },
	{ UP_TO_KERNEL LAUNCH_OF("0", "1,1"), ERR_FORMAT, "expected three sizes" },
	{ UP_TO_KERNEL LAUNCH_OF("0", "1,1,1,1"), ERR_FORMAT, "list of at most 3" },
	{ UP_TO_KERNEL LAUNCH_OF("0", "0,1,1"), ERR_FORMAT, "a size is 0" },
	{ UP_TO_KERNEL FATE, ERR_FORMAT, ":5: refers to number 0 of 0 launches" },
	{ UP_TO_LAUNCH FATE SKIPPED, ERR_FORMAT, ":7: launch 0 has a fate already" },
	{ UP_TO_LAUNCH TRACED("a", "0", "{\"index\":0,\"buffer\":0,\"address\":0}"), ERR_FORMAT,
	  ":6: refers to number 0 of 0 buffers" },
	{ UP_TO_LAUNCH TRACED("a", "0", "7"), ERR_FORMAT, "argument: expected an obj" },
	{ UP_TO_LAUNCH TRACED("../a", "0", ""), ERR_FORMAT, ":6: a file outside" },
	{ UP_TO_LAUNCH TRACED("a/../../b", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("/a", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("a/", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("a/./b", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("a/..b/...", "0", ""), 0, "" },
	{ UP_TO_LAUNCH TRACED("a\\u0000b", "0", ""), ERR_FORMAT, ":6: expected a JSON" },
	{ BEGIN END NOTE, ERR_FORMAT, ":3: a line of type note after the recording's end" },
	{ BEGIN EXIT EXIT, ERR_FORMAT, ":3: a line of type exit after the recording's" },
	{ BEGIN "{\"type\":\"exit\",\"status\":256}\n", ERR_FORMAT, "-1..255" },
};

static void a_malformed_manifest_is_refused_with_its_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(manifests) / sizeof(manifests[0]); i++) {
		struct recording *r = NULL;
		struct err err = { 0 };
		int ret = recording_parse(&r, "d", manifests[i].text, strlen(manifests[i].text),
		                          &err);

		if (ret != manifests[i].ret || !strstr(err.msg, manifests[i].says))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		recording_close(r);
	}
}

static void put(struct str *to, const char *text)
{
	assert_int_equal(str_append(to, text, strlen(text), NULL), 0);
}

/* Values as small as JSON's are, a line of them: what fits below the limit of 2^26 bytes is one. */
static void a_line_takes_no_more_memory_than_is_allowed(void **state)
{
	static const struct {
		const char *value;
		size_t bytes; /* as FORMAT.md counts them, with the comma after it */
	} rows[] = { { "0", 42 }, { "[]", 171 }, { "{}", 251 }, { "\"[{:\"", 46 } };
	const size_t most = (size_t)1 << 26;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t count = most / rows[i].bytes + 1;
		struct recording *r = NULL;
		struct err err = { 0 };
		struct str text;

		str_init(&text, most);
		put(&text, BEGIN "{\"type\":\"end\",\"x\":[");
		for (size_t k = 0; k < count; k++) {
			put(&text, k ? "," : "");
			put(&text, rows[i].value);
		}
		put(&text, "]}\n");
		assert_int_equal(recording_parse(&r, "d", text.text, text.length, &err), ERR_LIMIT);
		assert_non_null(strstr(err.msg, "d/manifest.jsonl:2: a line whose values take "));
		str_release(&text);
	}
}

/* The file's lines lie across the pieces in which it is read. */
static void a_manifest_is_read_in_pieces(void **state)
{
	static const size_t lengths[] = { 1, 30000, 65535, 65536, 65537, 200000, 0 };
	char path[] = "/tmp/warpline-test-XXXXXX", file[64];
	struct str text;
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(path));
	snprintf(file, sizeof(file), "%s/manifest.jsonl", path);
	str_init(&text, 1 << 20);
	put(&text, BEGIN);
	for (size_t i = 0; lengths[i]; i++)
		assert_int_equal(str_printf(&text, NULL,
		                            "{\"type\":\"note\",\"what\":\"%zu%0*d\","
		                            "\"reason\":\"\",\"count\":1}\n",
		                            i, (int)lengths[i], 0),
		                 0);
	for (size_t cut = 0; cut < 2; cut++) {
		struct recording *r = NULL;
		struct err err = { 0 };

		out = fopen(file, "w");
		assert_true(out &&
		            fwrite(text.text, 1, text.length - cut, out) == text.length - cut);
		assert_int_equal(fputs(cut ? "" : END, out) >= 0, true);
		fclose(out);
		if (recording_open(&r, path, &err))
			fail_msg("%s", err.msg);
		assert_int_equal(r->note_count, 6 - cut);
		assert_int_equal(r->has_end, !cut);
		for (size_t i = 0; i < r->note_count; i++)
			assert_int_equal(strlen(r->notes[i].what), 1 + lengths[i]);
		recording_close(r);
	}
	unlink(file);
	rmdir(path);
	str_release(&text);
}

/* A file of zeros that takes no room on disk: what is not read needs no memory. */
static void a_line_that_does_not_end_is_refused(void **state)
{
	char path[] = "/tmp/warpline-test-XXXXXX", file[64];
	struct recording *r = NULL;
	struct err err = { 0 };
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(path));
	snprintf(file, sizeof(file), "%s/manifest.jsonl", path);
	out = fopen(file, "w");
	assert_true(out && fputs(BEGIN, out) >= 0 && !fflush(out));
	assert_int_equal(ftruncate(fileno(out), (off_t)1 << 33), 0);
	fclose(out);
	assert_int_equal(recording_open(&r, path, &err), ERR_LIMIT);
	assert_non_null(strstr(err.msg, "manifest.jsonl:2: a line of more than 16777216 bytes"));
	unlink(file);
	rmdir(path);
}

static void what_is_missing_is_counted(void **state)
{
	static const struct {
		const char *text, *why; /* NULL: nothing is missing */
	} rows[] = {
		{ BEGIN END, NULL },
		{ UP_TO_LAUNCH FATE END EXIT, NULL },
		{ UP_TO_LAUNCH UNSELECTED END, NULL },
		{ UP_TO_LAUNCH COUNTED("") END, NULL },
		{ BEGIN DEVICE PROGRAM KERNEL_OF("0", UNRECORDED) LAUNCH UNSELECTED END, NULL },
		{ BEGIN DEVICE PROGRAM KERNEL_OF("0", UNRECORDED) LAUNCH COUNTED("") END,
		  "incomplete: missing: 1 unrecorded construct in a traced kernel" },
		{ BEGIN DEVICE PROGRAM KERNEL_OF("0", UNRECORDED) END, NULL }, /* never launched */
		{ BEGIN, "incomplete: missing: 1 end of the recording" },
		{ BEGIN END "{\"type\":\"exi", "incomplete: missing: 1 end of the recording" },
		{ UP_TO_LAUNCH END, "incomplete: missing: 1 launch that was not drained" },
		{ UP_TO_LAUNCH SKIPPED END, "incomplete: missing: 1 launch that was skipped" },
		{ UP_TO_LAUNCH TRACED("a", "17", "") END,
		  "incomplete: missing: 17 events lost for want of room "
		  "(record with a larger --device-buffer)" },
		{ BEGIN DEVICE PROGRAM KERNEL_OF("0", UNRECORDED "," UNRECORDED) LAUNCH FATE END,
		  "incomplete: missing: 2 unrecorded constructs in traced kernels" },
		{ UP_TO_LAUNCH SKIPPED NOTE, "incomplete: missing: 1 end of the recording, "
		                             "1 launch that was skipped, "
		                             "1 note of something not handled" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r = NULL;
		char *why = NULL;

		assert_int_equal(recording_parse(&r, "d", rows[i].text, strlen(rows[i].text), NULL),
		                 0);
		assert_int_equal(recording_is_complete(r, &why), rows[i].why == NULL);
		assert_int_equal(recording_is_complete(r, NULL), rows[i].why == NULL);
		if (rows[i].why)
			assert_string_equal(why, rows[i].why);
		free(why);
		recording_close(r);
	}
}

/* Every prefix of a manifest is a recording of its whole lines, or is refused as having none. */
static void a_manifest_cut_anywhere_is_a_prefix(void **state)
{
	static const char text[] = UP_TO_LAUNCH SKIPPED NOTE END EXIT;

	(void)state;
	for (size_t length = 0; length < sizeof(text); length++) {
		size_t lines = 0;
		struct recording *r = NULL;
		int ret = recording_parse(&r, "d", text, length, NULL);

		for (size_t i = 0; i < length; i++)
			lines += text[i] == '\n';
		assert_int_equal(ret, lines ? 0 : ERR_FORMAT);
		if (ret)
			continue;
		assert_int_equal(r->launch_count, lines >= 5);
		assert_int_equal(r->note_count, lines >= 7);
		assert_int_equal(r->has_end, lines == 9 || length == sizeof(text) - sizeof(EXIT));
		assert_int_equal(r->exit_status, lines == 9 ? 0 : -1);
		recording_close(r);
	}
}

/* A manifest has no checksum: a changed letter in a name stays unseen. What must not happen is a
 * crash, or an error of another kind. */
static void a_flipped_manifest_is_read_or_refused(void **state)
{
	static const char text[] = UP_TO_LAUNCH FATE NOTE END EXIT;
	char *copy = malloc(sizeof(text));

	(void)state;
	for (size_t at = 0; at + 1 < sizeof(text); at++) {
		for (int bit = 0; bit < 8; bit++) {
			struct recording *r = NULL;
			int ret;

			memcpy(copy, text, sizeof(text));
			copy[at] = (char)(copy[at] ^ 1 << bit);
			ret = recording_parse(&r, "d", copy, sizeof(text) - 1, NULL);
			if (ret != 0 && ret != ERR_FORMAT && ret != ERR_VERSION)
				fail_msg("bit %d of byte %zu gives %d", bit, at, ret);
			recording_close(r);
		}
	}
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_takes_no_more_memory_than_is_allowed),
		cmocka_unit_test(a_manifest_is_read_in_pieces),
		cmocka_unit_test(a_line_that_does_not_end_is_refused),
		cmocka_unit_test(a_malformed_manifest_is_refused_with_its_line),
		cmocka_unit_test(what_is_missing_is_counted),
		cmocka_unit_test(a_manifest_cut_anywhere_is_a_prefix),
		cmocka_unit_test(a_flipped_manifest_is_read_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
