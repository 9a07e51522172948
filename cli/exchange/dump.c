/* SPDX-License-Identifier: Apache-2.0 */
#include "dump.h"

#include "cell_table.h"
#include "err.h"
#include "shape_text.h"
#include "text.h"

#include <inttypes.h>

static int begin_text(void *context, const struct access_walk *w, struct err *err)
{
	char global[SHAPE_TEXT_BYTES], local[SHAPE_TEXT_BYTES];
	FILE *out = ((struct dump *)context)->out;

	(void)err;
	fprintf(out, "# launch %" PRIu64 ": %s, global %s, local %s\n", w->launch->number,
	        w->table->name, shape_text(global, w->launch->shape.global),
	        shape_text(local, w->launch->shape.local));
	fprintf(out, "# %5s %-16s %-7s %5s %-18s %8s %-20s %s\n", "group", "item", "kind", "bytes",
	        "address", "buffer", "place", "loop:iteration, outermost first");
	return 0;
}

static void print_place(FILE *out, const struct access *a)
{
	const struct place *place = &a->facts->place;
	char text[256];

	if (place->file && place->line)
		snprintf(text, sizeof(text), "%s:%u", place->file, place->line);
	else
		snprintf(text, sizeof(text), "site %u", a->site);
	fprintf(out, " %-20s", text);
}

static int access_text(void *context, const struct access_walk *w, const struct access *a,
                       struct err *err)
{
	FILE *out = ((struct dump *)context)->out;
	char item[SHAPE_TEXT_BYTES + 2], buffer[48] = "-";
	uint64_t offset;
	int64_t id;

	(void)err;
	snprintf(item, sizeof(item), "%" PRIu64 ",%" PRIu64 ",%" PRIu64, w->id[0], w->id[1],
	         w->id[2]);
	fprintf(out, "%7" PRIu64 " %-16s %-7s", w->group_now, item, site_kind_name(a->facts->kind));
	if (site_kind_has_address(a->facts->kind)) {
		id = access_walk_buffer(w, a, &offset);
		if (id >= 0)
			snprintf(buffer, sizeof(buffer), "%" PRId64 "+%" PRIu64, id, offset);
		else if (a->facts->space == SPACE_LOCAL)
			snprintf(buffer, sizeof(buffer), "local");
		fprintf(out, " %5" PRIu64 " 0x%016" PRIx64 " %8s", a->bytes, a->address, buffer);
	} else {
		fprintf(out, " %5s %-18s %8s", "-", "-", "-");
	}
	print_place(out, a);
	for (size_t i = 0; i < a->loop_count; i++)
		fprintf(out, " %u:%" PRIu64, a->loops[i].loop, a->loops[i].iteration);
	fputs(a->loop_count ? "\n" : " -\n", out);
	return 0;
}

static int access_json(void *context, const struct access_walk *w, const struct access *a,
                       struct err *err)
{
	FILE *out = ((struct dump *)context)->out;
	uint64_t offset;
	int64_t buffer;

	(void)err;
	fprintf(out,
	        "{\"launch\":%" PRIu64 ",\"group\":%" PRIu64 ",\"item\":[%" PRIu64 ",%" PRIu64
	        ",%" PRIu64 "],\"site\":%u,\"file\":",
	        w->launch->number, w->group_now, w->id[0], w->id[1], w->id[2], a->site);
	if (a->facts->place.file)
		text_write_json(out, a->facts->place.file);
	else
		fputs("null", out);
	fprintf(out, ",\"line\":%u,\"kind\":\"%s\"", a->facts->place.line,
	        site_kind_name(a->facts->kind));
	if (site_kind_has_address(a->facts->kind)) {
		buffer = access_walk_buffer(w, a, &offset);
		fprintf(out, ",\"bytes\":%" PRIu64 ",\"address\":\"0x%" PRIx64 "\"", a->bytes,
		        a->address);
		if (a->facts->space == SPACE_LOCAL)
			fprintf(out, ",\"space\":\"local\"");
		if (buffer >= 0)
			fprintf(out, ",\"buffer\":%" PRId64 ",\"offset\":%" PRIu64, buffer, offset);
	}
	fprintf(out, ",\"loops\":[");
	for (size_t i = 0; i < a->loop_count; i++)
		fprintf(out, "%s[%u,%" PRIu64 "]", i ? "," : "", a->loops[i].loop,
		        a->loops[i].iteration);
	fprintf(out, "]}\n");
	return 0;
}

static const struct cell_column csv_columns[] = {
	{ "launch", "", "", CELL_NUMBER },   { "group", "", "", CELL_NUMBER },
	{ "item_x", "", "", CELL_NUMBER },   { "item_y", "", "", CELL_NUMBER },
	{ "item_z", "", "", CELL_NUMBER },   { "site", "", "", CELL_NUMBER },
	{ "file", "", "", CELL_TEXT },       { "line", "", "", CELL_NUMBER },
	{ "kind", "", "", CELL_TEXT },       { "bytes", "", "", CELL_NUMBER },
	{ "address", "", "", CELL_ADDRESS }, { "buffer", "", "", CELL_NUMBER },
	{ "offset", "", "", CELL_NUMBER },   { "loops", "", "", CELL_TEXT },
};

struct csv {
	struct cell_table table;
	struct str loops;
};

static int access_csv(void *context, const struct access_walk *w, const struct access *a,
                      struct err *err)
{
	struct csv *csv = context;
	bool has_address = site_kind_has_address(a->facts->kind);
	uint64_t offset = 0;
	int64_t buffer = has_address ? access_walk_buffer(w, a, &offset) : -1;
	const struct cell cells[] = {
		cell_number(w->launch->number),
		cell_number(w->group_now),
		cell_number(w->id[0]),
		cell_number(w->id[1]),
		cell_number(w->id[2]),
		cell_number(a->site),
		cell_text(a->facts->place.file),
		cell_number(a->facts->place.line),
		cell_text(site_kind_name(a->facts->kind)),
		has_address ? cell_number(a->bytes) : cell_none(),
		has_address ? cell_number(a->address) : cell_none(),
		cell_index(buffer),
		buffer >= 0 ? cell_number(offset) : cell_none(),
		cell_text(access_loops_text(a, &csv->loops, err)),
	};

	return err->code ? err->code : csv->table.format->row(&csv->table, cells, err);
}

static int write_csv(struct dump *d, struct err *err)
{
	struct csv csv = { .table = { .out = d->out, .format = &cell_table_as_csv } };
	const struct access_visitor visitor = { .context = &csv, .access = access_csv };
	int ret;

	str_init(&csv.loops, ACCESS_LOOPS_BYTES);
	ret = cell_table_begin(&csv.table, csv_columns,
	                       sizeof(csv_columns) / sizeof(csv_columns[0]), err);
	if (!ret)
		ret = access_walk_run(&d->walk, &visitor, err);
	str_release(&csv.loops);
	return ret;
}

int dump_write(struct dump *d, enum dump_format format, struct err *err)
{
	const struct access_visitor text = { .context = d,
		                             .begin = begin_text,
		                             .access = access_text };
	const struct access_visitor json = { .context = d, .access = access_json };

	switch (format) {
	case DUMP_TEXT:
		return access_walk_run(&d->walk, &text, err);
	case DUMP_JSON:
		return access_walk_run(&d->walk, &json, err);
	case DUMP_CSV:
		return write_csv(d, err);
	case DUMP_ANCESTOR:
	default:
		return dump_ancestor_write(d, err);
	}
}
