/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_output.h"

#include "err.h"
#include "gnuplot.h"
#include "out_file.h"
#include "say.h"
#include "str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const size_t PICTURE_LIMIT_BYTES = (size_t)1 << 28;

static const struct {
	const char *name;
	bool is_drawn;
	const char *head, *tail;
} formats[] = {
#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) { #name, is_drawn, head, tail },
#include "plot_formats.def"
#undef PLOT_FORMAT
};

int plot_output_format(enum plot_format *format, const char *file, struct err *err)
{
	const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');

	for (int i = 0; dot && i < PLOT_FORMAT_COUNT; i++)
		if (!strcasecmp(dot + 1, formats[i].name)) {
			*format = (enum plot_format)i;
			return 0;
		}
	return err_set(err, ERR_USAGE,
	               "-o %s: expected a name that ends in .png, .svg, .pdf, .gp (the script for "
	               "gnuplot) or .csv (the numbers), or --format",
	               file);
}

int plot_output_check(enum plot_format format, struct err *err)
{
	return formats[format].is_drawn ? gnuplot_check(err) : 0;
}

/* Keep browsers from smoothing dots, for which gnuplot has no option. */
static int sharpen(struct str *picture, struct err *err)
{
	static const char tag[] = "<image ", style[] = "<image style='image-rendering: pixelated' ";
	struct str out;
	const char *rest = picture->text, *found;
	int ret = 0;

	str_init(&out, PICTURE_LIMIT_BYTES);
	while (!ret && (found = strstr(rest, tag))) {
		ret = str_append(&out, rest, (size_t)(found - rest), err);
		if (!ret)
			ret = str_append(&out, style, strlen(style), err);
		rest = found + strlen(tag);
	}
	if (!ret)
		ret = str_append(&out, rest, strlen(rest), err);
	if (ret) {
		str_release(&out);
		return ret;
	}
	str_release(picture);
	*picture = out;
	return 0;
}

/* Overwrite the date; nothing else depends on its value, only on its length. */
static void forget_date(struct str *picture)
{
	static const char key[] = "/CreationDate (D:", none[] = "19700101000000Z";
	char *found = memmem(picture->text, picture->length, key, strlen(key));
	char *end = found ? memchr(found, ')', picture->length - (size_t)(found - picture->text))
	                  : NULL;
	char *at = found ? found + strlen(key) : NULL;
	size_t room = end ? (size_t)(end - at) : 0;
	size_t length = room < strlen(none) ? room : strlen(none);

	if (!room)
		return;
	memcpy(at, none, length);
	memset(at + length, ' ', room - length);
}

int plot_output_mend(enum plot_format format, struct str *picture, struct err *err)
{
	if (!picture->length)
		return 0;
	if (format == PLOT_FORMAT_svg)
		return sharpen(picture, err);
	if (format == PLOT_FORMAT_pdf)
		forget_date(picture);
	return 0;
}

/* Check that the picture is complete: gnuplot may succeed without drawing everything. */
static int check_whole(enum plot_format format, const struct str *picture, struct err *err)
{
	const char *head = formats[format].head, *tail = formats[format].tail;
	size_t length = picture->length;

	while (length && strchr(" \r\n", picture->text[length - 1]))
		length--;
	if (length >= strlen(head) + strlen(tail) && !memcmp(picture->text, head, strlen(head)) &&
	    !memcmp(picture->text + length - strlen(tail), tail, strlen(tail)))
		return 0;
	return err_set(err, ERR_SUBPROCESS, "gnuplot drew no whole %s (%zu bytes)",
	               formats[format].name, picture->length);
}

static int put(const struct str *picture, const char *file, struct err *err)
{
	struct out_file out;
	int ret = out_file_open(&out, file, err);

	if (!ret && fwrite(picture->text ? picture->text : "", 1, picture->length, out.stream) <
	                    picture->length)
		ret = err_set(err, ERR_IO, "%s: %s", out.name, strerror(errno));
	if (!ret)
		ret = out_file_end(&out, err);
	out_file_release(&out);
	return ret;
}

/* Make the file from the script or the numbers. */
static int finish(enum plot_format format, int script, const char *file, struct err *err)
{
	struct str picture;
	int ret;

	str_init(&picture, PICTURE_LIMIT_BYTES);
	ret = formats[format].is_drawn ? gnuplot_draw(script, &picture, err)
	                               : out_file_take(script, &picture, err);
	if (!ret && formats[format].is_drawn)
		ret = check_whole(format, &picture, err);
	if (!ret)
		ret = plot_output_mend(format, &picture, err);
	if (!ret)
		ret = put(&picture, file, err);
	str_release(&picture);
	return ret;
}

int plot_output_make(enum plot_format format, const char *file, plot_output_writer *write,
                     void *context, struct err *err)
{
	int script = out_file_in_memory("script", err), ret;
	FILE *out;

	if (script < 0)
		return script;
	out = fdopen(script, "w");
	if (!out) {
		close(script);
		return err_set(err, ERR_IO, "the script: %s", strerror(errno));
	}
	ret = write(context, out, err);
	if (!ret)
		ret = say_flush(out, "the script", err);
	if (!ret)
		ret = finish(format, script, file, err);
	fclose(out);
	return ret;
}
