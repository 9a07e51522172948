/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings with a bit of each byte changed, and cut short at each length: verify finds it. */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "recording.h"
#include "recording_dir.h"
#include "recordings.h"
#include "str.h"
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(work_dir) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(work_dir);
}

struct found {
	uint64_t counts[VERIFY_GRAVITY_COUNT];
};

/* What verify finds; a manifest that cannot be read is damage. */
static struct found look(const char *dir)
{
	struct found found = { { 0 } };
	struct recording *r = NULL;
	struct verify v;

	verify_init(&v);
	if (recording_open(&r, dir, NULL)) {
		found.counts[VERIFY_DAMAGE] = 1;
	} else {
		v.recording = r;
		assert_int_equal(verify_recording(&v, NULL), 0);
		memcpy(found.counts, v.counts, sizeof(found.counts));
	}
	verify_release(&v);
	recording_close(r);
	return found;
}

static void write_at(const char *path, const char *bytes, size_t at, size_t count)
{
	FILE *out = fopen(path, "r+b");

	assert_non_null(out);
	assert_int_equal(fseek(out, (long)at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes + at, 1, count, out), count);
	assert_int_equal(fclose(out), 0);
}

/* Whether the manifest ends behind a whole line that tells its end: only the exit status is gone.
 */
static bool is_before_exit(const char *text, size_t length)
{
	const char *end = strstr(text, "{\"type\":\"end\"");

	return end && text + length == strchr(end, '\n') + 1;
}

static void damage_file(const char *dir, const char *file)
{
	struct found found;
	struct str whole;
	char *path = file_path(dir, file, NULL);

	str_init(&whole, 1 << 20);
	assert_int_equal(file_read(path, &whole, NULL), 0);
	for (size_t i = 0; i < whole.length; i++) {
		whole.text[i] = (char)(whole.text[i] ^ 1 << i % 8);
		write_at(path, whole.text, i, 1);
		found = look(dir);
		if (!found.counts[VERIFY_DAMAGE] && !found.counts[VERIFY_MISSING])
			fail_msg("%s: byte %zu was changed and nothing found", path, i);
		whole.text[i] = (char)(whole.text[i] ^ 1 << i % 8);
		write_at(path, whole.text, i, 1);
	}
	for (size_t i = whole.length; i-- > 0;) {
		assert_int_equal(truncate(path, (off_t)i), 0);
		found = look(dir);
		if (!found.counts[VERIFY_DAMAGE] && !found.counts[VERIFY_MISSING] &&
		    !(is_before_exit(whole.text, i) && found.counts[VERIFY_REMARK]))
			fail_msg("%s: was cut to %zu bytes and nothing found", path, i);
	}
	write_at(path, whole.text, 0, whole.length);
	str_release(&whole);
	free(path);
}

static void test_each_changed_byte_and_each_cut_is_found(void **state)
{
	static const char *const kinds[] = { "vadd", "loops", "counted", "sides" };

	(void)state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct recording *r = NULL;
		char dir[64];

		(void)snprintf(dir, sizeof(dir), "%s/%s", work_dir, kinds[k]);
		assert_int_equal(recording_make(kinds[k], dir, NULL), 0);
		assert_int_equal(look(dir).counts[VERIFY_DAMAGE], 0);
		assert_int_equal(look(dir).counts[VERIFY_MISSING], 0);
		assert_int_equal(recording_open(&r, dir, NULL), 0);
		damage_file(dir, "manifest.jsonl");
		for (size_t i = 0; i < r->launch_count; i++)
			if (r->launches[i].file)
				damage_file(dir, r->launches[i].file);
		for (size_t i = 0; i < r->program_count; i++)
			if (r->programs[i].source_file)
				damage_file(dir, r->programs[i].source_file);
		recording_close(r);
		assert_int_equal(look(dir).counts[VERIFY_DAMAGE], 0);
		assert_int_equal(recording_dir_remove(dir, NULL), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_changed_byte_and_each_cut_is_found),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
