/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "command.h"
#include "copy_dir.h"
#include "err.h"
#include "progress_line.h"
#include "recording.h"
#include "recording_dir.h"
#include "say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

struct merge_settings {
	const char *output;
};

static const struct option_row rows[] = {
	{ .name = "output",
	  .letter = 'o',
	  .argument = "OUT",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct merge_settings, output),
	  .text = "the recording to make (an older one moves to OUT.old)" },
};
const struct option_table merge_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                    sizeof(struct merge_settings) };

static bool is_same_place(const char *a, const char *b)
{
	struct stat one, other;

	return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

static int open_inputs(struct recording **inputs, const struct operands *operands, const char *out,
                       struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < operands->count; i++) {
		if (is_same_place(operands->items[i], out))
			return err_set(err, ERR_USAGE,
			               "-o %s: is one of the recordings to be merged; choose "
			               "another place",
			               out);
		ret = recording_open(&inputs[i], operands->items[i], err);
	}
	return ret;
}

/* Print which launches of the result are those of each input. */
static void say_numbers(struct recording *const *inputs, size_t count)
{
	uint64_t first = 0;

	for (size_t i = 0; i < count; i++) {
		if (inputs[i]->launches_seen)
			printf("%s: launches %" PRIu64 "..%" PRIu64 "\n", inputs[i]->dir, first,
			       first + inputs[i]->launches_seen - 1);
		else
			printf("%s: no launches\n", inputs[i]->dir);
		first += inputs[i]->launches_seen;
	}
}

static int verdict(const char *dir, struct err *err)
{
	struct recording *made = NULL;
	int ret = recording_open(&made, dir, err);

	if (!ret)
		ret = say_verdict("merge", made, NULL);
	recording_close(made);
	return ret;
}

static int merge(struct recording **inputs, size_t count, const char *out, struct err *err)
{
	struct copy_dir copy = { .inputs = (const struct recording *const *)inputs,
		                 .count = count };
	char *made = NULL;
	int ret = copy_dir_make(&copy, out, "merging", &made, err);

	if (!ret)
		ret = recording_dir_replace(made, out, err);
	if (ret && made && recording_dir_is_recording(made))
		recording_dir_remove(made, NULL);
	free(made);
	if (ret)
		return ret;
	say_numbers(inputs, count);
	ret = say_flush(stdout, "standard output", err);
	return ret ? ret : verdict(out, err);
}

int cmd_merge(const void *settings, const struct operands *operands, struct err *err)
{
	const struct merge_settings *s = settings;
	struct recording **inputs;
	struct progress_line wait;
	int ret;

	if (!s->output || !*s->output)
		return err_set(err, ERR_USAGE, "expected -o OUT, the recording to make");
	inputs = array_alloc(operands->count, sizeof(struct recording *), "recordings", err);
	if (!inputs)
		return ERR_NOMEM;
	ret = open_inputs(inputs, operands, s->output, err);
	progress_line_begin(&wait, "merge", 0, operands->common.is_quiet);
	if (!ret)
		ret = merge(inputs, operands->count, s->output, err);
	progress_line_end(&wait);
	for (size_t i = 0; i < operands->count; i++)
		recording_close(inputs[i]);
	free(inputs);
	return ret;
}
