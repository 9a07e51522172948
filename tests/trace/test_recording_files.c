/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a recording names: each is what was written, a regular file, and in the folder. */
#include "cmocka_all.h"

#include "bypass_list.h"
#include "err.h"
#include "launch_reader.h"
#include "recording.h"
#include "recording_copy.h"
#include "recording_writer.h"
#include "str.h"
#include "trace_launch.h"
#include "trace_scratch.h"
#include "trace_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const files[] = { "manifest.jsonl", "launch-000000.wll", "bypass.txt",
	                             "applied.txt", "sources/program-0000.cl" };
enum { MANIFEST, LAUNCH, BYPASS, APPLIED, SOURCE, FILES };

static char source_text[] = "kernel void k() {}\n";

struct scene {
	struct scratch_dir scratch;
	char dir[128];
};

static void path_of(const struct scene *s, const char *name, char to[256])
{
	snprintf(to, 256, "%s/%s", s->dir, name);
}

static void write_list(struct recording_writer *w, const char *type)
{
	struct bypass_list list = { 0 };
	const struct bypass_rule rule = { .kind = BYPASS_WARPS, .number = 3, .sm = -1 };

	assert_int_equal(bypass_list_add(&list, &rule, NULL), 0);
	assert_int_equal(recording_writer_list(w, type, &list, NULL), 0);
	bypass_list_release(&list);
}

static void write_launch(struct recording_writer *w)
{
	static char k[] = "k", text[] = "text";
	static struct site site = {
		.kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1
	};
	const struct recorded_kernel kernel = {
		.door = text, .table = { .name = k, .sites = &site, .site_count = 1 }
	};
	struct recorded_launch l = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
		                     .fate = LAUNCH_TRACED };
	static const struct event event = { 0x1000, 0, 0 };
	static const uint64_t first[] = { 0, 1 };
	const struct group_events g = { 1, first, &event };
	struct launch_writer *file = NULL;
	uint32_t id;

	assert_int_equal(recording_writer_kernel(w, &kernel, &id, NULL), 0);
	assert_int_equal(recording_writer_launch(w, &l, &id, NULL), 0);
	assert_int_equal(recording_writer_open_launch(w, id, &l.shape, &kernel.table, &file, NULL),
	                 0);
	assert_int_equal(launch_writer_add(file, 0, &g, NULL), 0);
	assert_int_equal(launch_writer_close(file, true, &l.totals, NULL), 0);
	assert_int_equal(recording_writer_fate(w, id, &l, NULL), 0);
}

static void make(struct scene *s)
{
	static char word[] = "app", options[] = "";
	char *command[] = { word, NULL };
	const struct recorded_device device = { word, word, word, word, word, 64 };
	const struct recorded_program program = { .options = options, .origin = word };
	struct recording_writer *w = NULL;
	uint32_t id;

	scratch_make(&s->scratch);
	snprintf(s->dir, sizeof(s->dir), "%s", scratch_path(&s->scratch, "rec"));
	assert_int_equal(recording_writer_create(&w, s->dir, "t", command, NULL), 0);
	write_list(w, "bypass");
	write_list(w, "applied");
	assert_int_equal(recording_writer_device(w, &device, &id, NULL), 0);
	assert_int_equal(
		recording_writer_program(w, &program, source_text, strlen(source_text), &id, NULL),
		0);
	write_launch(w);
	assert_int_equal(recording_writer_end(w, NULL), 0);
	recording_writer_close(w);
}

static int read_source(const struct recording *r, struct err *err)
{
	struct str text;
	int ret;

	str_init(&text, 1000);
	ret = recording_read_text(r, r->programs[0].source_file, &r->programs[0].source_sum, &text,
	                          err);
	if (!ret)
		assert_string_equal(text.text, source_text);
	str_release(&text);
	return ret;
}

static int read_list(const struct recording *r, const struct recorded_list *kept, struct err *err)
{
	struct bypass_list list = { 0 };
	int ret = recording_read_list(r, kept, &list, err);

	bypass_list_release(&list);
	return ret;
}

static int read_launch(const struct recording *r, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	int ret = recording_open_launch(r, 0, &source, &reader, err);

	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

/* Open the recording and read its file number `which`: 0, or what that returns. */
static int read_file(const char *dir, size_t which, struct err *err)
{
	struct recording *r = NULL;
	int ret = recording_open(&r, dir, err);

	if (ret)
		return ret;
	switch (which) {
	case LAUNCH:
		ret = read_launch(r, err);
		break;
	case BYPASS:
		ret = read_list(r, &r->bypass, err);
		break;
	case APPLIED:
		ret = read_list(r, &r->applied, err);
		break;
	case SOURCE:
		ret = read_source(r, err);
		break;
	}
	/* Texts are looked at when a recording is opened. */
	if (which >= BYPASS) {
		char *why = NULL;

		assert_int_equal(r->bad_texts, ret != 0);
		assert_int_equal(recording_is_complete(r, &why), ret == 0);
		assert_true(!ret ||
		            strstr(why, "missing: 1 source or list that is damaged or not there"));
		free(why);
	}
	recording_close(r);
	return ret;
}

static void every_file_is_read(void **state)
{
	struct scene s;

	(void)state;
	make(&s);
	for (size_t i = 0; i < FILES; i++) {
		struct err err = { 0 };

		if (read_file(s.dir, i, &err))
			fail_msg("%s", err.msg);
	}
	scratch_remove(&s.scratch);
}

static void change_byte(const char *path, off_t at)
{
	int fd = open(path, O_RDWR);
	char byte;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

static void a_changed_byte_of_any_text_is_found(void **state)
{
	struct scene s;

	(void)state;
	make(&s);
	for (size_t i = BYPASS; i < FILES; i++) {
		char path[256];
		struct stat facts;

		path_of(&s, files[i], path);
		assert_int_equal(stat(path, &facts), 0);
		for (off_t at = 0; at < facts.st_size; at++) {
			struct err err = { 0 };

			change_byte(path, at);
			assert_int_equal(read_file(s.dir, i, &err), ERR_FORMAT);
			assert_non_null(strstr(err.msg, "damaged: its checksum is wrong"));
			assert_non_null(strstr(err.msg, files[i]));
			change_byte(path, at);
		}
		assert_int_equal(read_file(s.dir, i, NULL), 0);
		for (off_t cut = facts.st_size; cut-- > 0;) {
			struct err err = { 0 };

			assert_int_equal(truncate(path, cut), 0);
			assert_int_equal(read_file(s.dir, i, &err), ERR_FORMAT);
			assert_non_null(strstr(err.msg, " were written"));
		}
		scratch_remove(&s.scratch);
		make(&s);
	}
	scratch_remove(&s.scratch);
}

/* A good file of the same shape, kernel and length, but of another launch. */
static void the_file_of_another_launch_is_refused(void **state)
{
	struct scene s;
	char path[256];
	struct recorded_launch l = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } } };
	static const struct event event = { 0x2000, 0, 0 };
	static const uint64_t first[] = { 0, 1 };
	const struct group_events g = { 1, first, &event };
	struct launch_writer *file = NULL;
	struct recording *r = NULL;
	struct err err = { 0 };

	(void)state;
	make(&s);
	path_of(&s, files[LAUNCH], path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(recording_open(&r, s.dir, NULL), 0);
	assert_int_equal(launch_writer_open(&file, path, &l.shape, &r->kernels[0].table, NULL), 0);
	assert_int_equal(launch_writer_add(file, 0, &g, NULL), 0);
	assert_int_equal(launch_writer_close(file, true, &l.totals, NULL), 0);
	recording_close(r);
	assert_int_equal(read_file(s.dir, LAUNCH, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "is not the file that was written for launch 0"));
	scratch_remove(&s.scratch);
}

/* The contents are as they should be, but somewhere else. */
static void no_link_in_a_recording_is_followed(void **state)
{
	struct scene s;

	(void)state;
	for (size_t i = 0; i < FILES; i++) {
		char path[256], elsewhere[256];
		struct err err = { 0 };

		make(&s);
		path_of(&s, files[i], path);
		snprintf(elsewhere, sizeof(elsewhere), "%s", scratch_path(&s.scratch, "elsewhere"));
		assert_int_equal(rename(path, elsewhere), 0);
		assert_int_equal(symlink(elsewhere, path), 0);
		assert_int_equal(read_file(s.dir, i, &err), ERR_IO);
		assert_non_null(strstr(err.msg, files[i]));
		assert_non_null(strstr(err.msg, "is a symbolic link"));
		scratch_remove(&s.scratch);
	}
}

static void no_linked_folder_is_followed(void **state)
{
	struct scene s;
	char path[256], elsewhere[256];
	struct err err = { 0 };

	(void)state;
	make(&s);
	path_of(&s, "sources", path);
	snprintf(elsewhere, sizeof(elsewhere), "%s", scratch_path(&s.scratch, "elsewhere"));
	assert_int_equal(rename(path, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, path), 0);
	assert_int_equal(read_file(s.dir, SOURCE, &err), ERR_IO);
	assert_non_null(strstr(err.msg, "a folder of this path is a symbolic link"));
	scratch_remove(&s.scratch);
}

static void a_link_to_the_recording_may_name_it(void **state)
{
	struct scene s;
	char link[256];

	(void)state;
	make(&s);
	snprintf(link, sizeof(link), "%s", scratch_path(&s.scratch, "link"));
	assert_int_equal(symlink(s.dir, link), 0);
	for (size_t i = 0; i < FILES; i++)
		assert_int_equal(read_file(link, i, NULL), 0);
	assert_int_equal(recording_append_exit(link, 0, 0, NULL), 0);
	scratch_remove(&s.scratch);
}

static void make_socket(const char *path)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_true(fd >= 0 && strlen(path) < sizeof(name.sun_path));
	memcpy(name.sun_path, path, strlen(path) + 1);
	assert_int_equal(bind(fd, (const struct sockaddr *)&name, sizeof(name)), 0);
	close(fd);
}

/* The test would hang. */
static void what_is_no_file_is_refused_and_not_waited_for(void **state)
{
	struct scene s;

	(void)state;
	for (size_t i = 0; i < FILES; i++) {
		char path[256];
		struct err err = { 0 };

		make(&s);
		path_of(&s, files[i], path);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(mkfifo(path, 0600), 0);
		assert_int_equal(read_file(s.dir, i, &err), ERR_IO);
		assert_non_null(strstr(err.msg, "is a FIFO: expected a regular file"));
		assert_int_equal(unlink(path), 0);
		make_socket(path);
		assert_int_equal(read_file(s.dir, i, NULL), ERR_IO);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(mkdir(path, 0700), 0);
		assert_int_equal(read_file(s.dir, i, NULL), ERR_IO);
		assert_int_equal(recording_append_exit(s.dir, 0, 0, NULL),
		                 i == MANIFEST ? ERR_IO : 0);
		scratch_remove(&s.scratch);
	}
}

static int copy(const struct recording *r, const char *to, bool may_link, struct err *err)
{
	static char word[] = "app";
	char *command[] = { word, NULL };
	const struct recording_copy_choice choice = { .may_link = may_link };
	struct recording_writer *w = NULL;
	struct recording_copy *c = NULL;
	int ret = recording_writer_create(&w, to, "t", command, err);

	if (!ret)
		ret = recording_copy_create(&c, w, err);
	if (!ret)
		ret = recording_copy_add(c, r, &choice, err);
	if (!ret)
		ret = recording_copy_end(c, err);
	recording_copy_free(c);
	recording_writer_close(w);
	return ret;
}

/* Neither by reading nor by a hard link; and a whole one comes over with its sums. */
static void a_copy_takes_nothing_from_outside(void **state)
{
	static const size_t taken[] = { LAUNCH, BYPASS, SOURCE };
	struct scene s;

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(taken) / sizeof(taken[0]); i++) {
		char path[256], elsewhere[256], to[256];
		struct recording *r = NULL;
		struct err err = { 0 };

		make(&s);
		path_of(&s, files[taken[i / 2]], path);
		snprintf(elsewhere, sizeof(elsewhere), "%s", scratch_path(&s.scratch, "elsewhere"));
		snprintf(to, sizeof(to), "%s", scratch_path(&s.scratch, "to"));
		assert_int_equal(recording_open(&r, s.dir, NULL), 0);
		assert_int_equal(rename(path, elsewhere), 0);
		assert_int_equal(symlink(elsewhere, path), 0);
		assert_int_equal(copy(r, to, i % 2, &err), ERR_IO);
		assert_non_null(strstr(err.msg, "is a symbolic link"));
		assert_int_equal(unlink(path), 0);
		assert_int_equal(rename(elsewhere, path), 0);
		snprintf(to, sizeof(to), "%s", scratch_path(&s.scratch, "again"));
		assert_int_equal(copy(r, to, i % 2, NULL), 0);
		for (size_t f = 0; f < FILES; f++)
			assert_int_equal(read_file(to, f, NULL), 0);
		recording_close(r);
		scratch_remove(&s.scratch);
	}
}

/* The text of a list that is too long for a recording: one more line than may be. */
static void one_limit_holds_for_reader_and_writer_of_a_list(void **state)
{
	struct bypass_list list = { 0 };
	const struct bypass_rule rule = { .kind = BYPASS_ALL, .sm = -1 };
	static char word[] = "app";
	char *command[] = { word, NULL };
	struct recording_writer *w = NULL;
	struct scratch_dir scratch;
	struct err err = { 0 };
	char path[256];

	(void)state;
	scratch_make(&scratch);
	snprintf(path, sizeof(path), "%s", scratch_path(&scratch, "rec"));
	for (size_t i = 0; i < RECORDING_LIST_LINES_MAX; i++) /* and the first line */
		assert_int_equal(bypass_list_add(&list, &rule, NULL), 0);
	assert_int_equal(recording_writer_create(&w, path, "t", command, NULL), 0);
	assert_int_equal(recording_writer_list(w, "bypass", &list, &err), ERR_LIMIT);
	assert_non_null(strstr(err.msg, "a bypass list of 524289 lines"));
	list.count--;
	assert_int_equal(recording_writer_list(w, "bypass", &list, NULL), 0);
	list.count++;
	recording_writer_close(w);
	bypass_list_release(&list);
	assert_int_equal(read_file(path, MANIFEST, NULL), 0);
	scratch_remove(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_is_read),
		cmocka_unit_test(a_changed_byte_of_any_text_is_found),
		cmocka_unit_test(the_file_of_another_launch_is_refused),
		cmocka_unit_test(no_link_in_a_recording_is_followed),
		cmocka_unit_test(no_linked_folder_is_followed),
		cmocka_unit_test(a_link_to_the_recording_may_name_it),
		cmocka_unit_test(what_is_no_file_is_refused_and_not_waited_for),
		cmocka_unit_test(a_copy_takes_nothing_from_outside),
		cmocka_unit_test(one_limit_holds_for_reader_and_writer_of_a_list),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
