/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest_file.h"

#include "err.h"
#include "manifest_sum.h"
#include "quiet_signals.h"
#include "str.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct line_text {
	struct str text;
	bool is_bad; /* a piece is missing: jansson does not stop at every failure */
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
	    manifest_sum_add(&out.text, NULL) || append_piece("\n", 1, &out))
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
