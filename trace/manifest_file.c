/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest_file.h"

#include "err.h"
#include "quiet_signals.h"
#include "str.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char beginning[] = ",\"sum\":\"0x";

enum { BEGINNING = sizeof(beginning) - 1, DIGITS = 16, ENDING = BEGINNING + DIGITS + 2 };

/* Returns what follows `length` bytes of a line, including its newline. */
static void make_ending(char to[ENDING + 1], const char *line, size_t length)
{
	snprintf(to, ENDING + 1, "%s%016" PRIx64 "\"}", beginning, XXH64(line, length, 0));
}

/* Add the sum to `line`, a JSON object with a member and without a newline. Returns 0 or ERR_NOMEM.
 */
static int sum_add(struct str *line, struct err *err)
{
	char ending[ENDING + 1];

	assert(line->length > 2 && line->text[line->length - 1] == '}');
	line->length--;
	make_ending(ending, line->text, line->length);
	return str_append(line, ending, ENDING, err);
}

int manifest_sum_check(const char *line, size_t length, bool is_needed, struct err *err)
{
	char ending[ENDING + 1];
	size_t before = length > ENDING ? length - ENDING : 0;

	if (!before || memcmp(line + before, beginning, BEGINNING) != 0)
		return is_needed ? err_set(err, ERR_FORMAT, "expected a sum at the line's end") : 0;
	make_ending(ending, line, before);
	if (memcmp(line + before, ending, ENDING) == 0)
		return 0;
	return err_set(err, ERR_FORMAT, "the line is damaged: its sum is another");
}

struct line_text {
	struct str text;
	bool is_bad; /* a piece is missing; jansson ignores some failures */
};

static int append_piece(const char *piece, size_t length, void *to)
{
	struct line_text *out = to;

	out->is_bad = out->is_bad || str_append(&out->text, piece, length, NULL) < 0;
	return out->is_bad ? -1 : 0;
}

static int write_once(int fd, const char *text, size_t length, struct err *err)
{
	struct quiet_signals quiet;
	struct stat before;
	ssize_t put;

	if (fstat(fd, &before))
		return err_set(err, ERR_IO, "%s", strerror(errno));
	quiet_signals_begin(&quiet);
	do
		put = write(fd, text, length);
	while (put < 0 && errno == EINTR);
	quiet_signals_end(&quiet, put != (ssize_t)length);
	if (put == (ssize_t)length)
		return 0;
	err_set(err, ERR_IO, "%s", put < 0 ? strerror(errno) : "a line was written in part only");
	if (put > 0 && ftruncate(fd, before.st_size))
		return ERR_IO; /* readers ignore a last line that is cut short */
	return ERR_IO;
}

int manifest_append(int fd, const json_t *line, struct err *err)
{
	struct line_text out = { .is_bad = !line };
	int ret;

	str_init(&out.text, SIZE_MAX - 1);
	if (out.is_bad || json_dump_callback(line, append_piece, &out, JSON_COMPACT) ||
	    sum_add(&out.text, NULL) || append_piece("\n", 1, &out))
		ret = err_set(err, ERR_NOMEM, "out of memory for a line");
	else
		ret = write_once(fd, out.text.text, out.text.length, err);
	str_release(&out.text);
	return ret;
}

int manifest_trim(int fd, struct err *err)
{
	struct stat st;
	char piece[4096];
	off_t end;

	if (fstat(fd, &st))
		return err_set(err, ERR_IO, "%s", strerror(errno));
	for (end = st.st_size; end > 0;) {
		size_t length = end < (off_t)sizeof(piece) ? (size_t)end : sizeof(piece);
		const char *newline;

		if (pread(fd, piece, length, end - (off_t)length) != (ssize_t)length)
			return err_set(err, ERR_IO, "cannot be read");
		newline = memrchr(piece, '\n', length);
		end -= (off_t)length;
		if (newline) {
			end += newline - piece + 1;
			break;
		}
	}
	if (end < st.st_size && ftruncate(fd, end))
		return err_set(err, ERR_IO, "%s", strerror(errno));
	return 0;
}
