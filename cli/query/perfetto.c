/* SPDX-License-Identifier: Apache-2.0 */
#include "perfetto.h"

#include "err.h"
#include "recording.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>

/* The columns of PERFETTO_COLUMNS. */
enum { LAUNCH, KERNEL, DEVICE, START, TIME, OTHERS };

enum { END_BYTES = 1024 }; /* most bytes of the end */

static const char track[] = "launches, one after another (queues and times of start are not "
			    "recorded)";

/* Write nanoseconds as the microseconds of the format. */
static void write_time(FILE *out, const char *key, uint64_t ns)
{
	fprintf(out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

/* Write an event, if there is room, and free it. */
static bool put_event(struct cell_table *w, char *text, size_t length)
{
	struct perfetto *p = w->context;
	bool has_room =
		!p->left_out && length <= p->limit_bytes && p->bytes <= p->limit_bytes - length;

	if (has_room) {
		fwrite(text, 1, length, w->out);
		p->bytes += length;
	}
	free(text);
	return has_room;
}

static int begin(struct cell_table *w, struct err *err)
{
	struct perfetto *p = w->context;

	(void)err;
	p->bytes = END_BYTES;
	p->bytes += (uint64_t)fprintf(w->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	p->bytes += (uint64_t)fprintf(w->out, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,"
	                                      "\"args\":{\"labels\":\"warpline\"}}");
	return 0;
}

/* Write the names of a device and its track, before its first launch. */
static int name_devices(struct cell_table *w, struct err *err)
{
	const struct recording *r = ((struct perfetto *)w->context)->recording;

	for (size_t i = 0; i < r->device_count; i++) {
		char *text = NULL;
		size_t length = 0;
		FILE *out = open_memstream(&text, &length);

		if (!out)
			return err_set(err, ERR_NOMEM, "out of memory for the timeline");
		fprintf(out,
		        ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%zu,\"args\":{"
		        "\"name\":",
		        i + 1);
		text_write_json(out, r->devices[i].name);
		fprintf(out,
		        "}},\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%zu,\"tid\":1,"
		        "\"args\":{\"name\":",
		        i + 1);
		text_write_json(out, track);
		fputs("}}", out);
		if (fclose(out)) {
			free(text);
			return err_set(err, ERR_NOMEM, "out of memory for the timeline");
		}
		put_event(w, text, length);
	}
	return 0;
}

static void print_launch(const struct cell_table *w, const struct cell *cells, FILE *out)
{
	bool has_time = !cells[TIME].is_none && cells[TIME].number;

	fprintf(out, ",\n{\"ph\":\"%s\",\"cat\":\"launch\",\"name\":", has_time ? "X" : "i");
	cell_table_write_json(out, w->shown[KERNEL], &cells[KERNEL]);
	write_time(out, "ts", cells[START].number);
	if (has_time)
		write_time(out, "dur", cells[TIME].number);
	else
		fputs(",\"s\":\"t\"", out);
	fprintf(out, ",\"pid\":%" PRIu64 ",\"tid\":1,\"args\":{\"launch\":%" PRIu64,
	        cells[DEVICE].number + 1, cells[LAUNCH].number);
	for (uint32_t i = OTHERS; i < w->count; i++) {
		fprintf(out, ",\"%s\":", w->shown[i]->name);
		cell_table_write_json(out, w->shown[i], &cells[i]);
	}
	fputs("}}", out);
}

static int row(struct cell_table *w, const struct cell *cells, struct err *err)
{
	struct perfetto *p = w->context;
	char *text = NULL;
	size_t length = 0;
	FILE *out;

	if (!p->launches && name_devices(w, err))
		return ERR_NOMEM;
	out = open_memstream(&text, &length);
	if (!out)
		return err_set(err, ERR_NOMEM, "out of memory for the timeline");
	print_launch(w, cells, out);
	if (fclose(out)) {
		free(text);
		return err_set(err, ERR_NOMEM, "out of memory for the timeline");
	}
	p->launches++;
	p->without_time += cells[TIME].is_none || !cells[TIME].number;
	p->left_out += !put_event(w, text, length);
	return 0;
}

static int end(struct cell_table *w, struct err *err)
{
	const struct perfetto *p = w->context;

	(void)err;
	fprintf(w->out,
	        "\n],\"otherData\":{\"warpline\": \"" WARPLINE_VERSION "\",\"launches\":%" PRIu64
	        ",\"without_time\":%" PRIu64 ",\"left_out\":%" PRIu64
	        ",\"start_times\":\"not recorded: a launch stands after those of its device "
	        "before "
	        "it\"}}\n",
	        p->launches, p->without_time, p->left_out);
	return 0;
}

const struct cell_table_format cell_table_as_perfetto = { "perfetto", begin, row, end };
