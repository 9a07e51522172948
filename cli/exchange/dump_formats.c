/* SPDX-License-Identifier: Apache-2.0 */
#include "dump.h"

#include "shape_text.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

static int begin_text(struct dump *d, struct err *err)
{
	char global[SHAPE_TEXT_BYTES], local[SHAPE_TEXT_BYTES];

	(void)err;
	fprintf(d->out, "# launch %" PRIu64 ": %s, global %s, local %s\n", d->facts->number,
	        d->table->name, shape_text(global, d->facts->shape.global),
	        shape_text(local, d->facts->shape.local));
	fprintf(d->out, "# %5s %-16s %-7s %5s %-18s %8s %-20s %s\n", "group", "item", "kind",
	        "bytes", "address", "buffer", "place", "loop:iteration, outermost first");
	return 0;
}

static void print_place(struct dump *d, const struct access *a)
{
	const struct place *place = &a->facts->place;
	char text[256];

	if (place->file && place->line)
		snprintf(text, sizeof(text), "%s:%u", place->file, place->line);
	else
		snprintf(text, sizeof(text), "site %u", a->site);
	fprintf(d->out, " %-20s", text);
}

static int access_text(struct dump *d, const struct access *a, struct err *err)
{
	char item[SHAPE_TEXT_BYTES + 2], buffer[48] = "-";
	uint64_t offset;
	int64_t id;

	(void)err;
	snprintf(item, sizeof(item), "%" PRIu64 ",%" PRIu64 ",%" PRIu64, d->id[0], d->id[1],
	         d->id[2]);
	fprintf(d->out, "%7" PRIu64 " %-16s %-7s", d->group, item, site_kind_name(a->facts->kind));
	if (site_kind_has_address(a->facts->kind)) {
		id = dump_buffer(d, a, &offset);
		if (id >= 0)
			snprintf(buffer, sizeof(buffer), "%" PRId64 "+%" PRIu64, id, offset);
		else if (a->facts->space == SPACE_LOCAL)
			snprintf(buffer, sizeof(buffer), "local");
		fprintf(d->out, " %5" PRIu64 " 0x%016" PRIx64 " %8s", a->bytes, a->address, buffer);
	} else {
		fprintf(d->out, " %5s %-18s %8s", "-", "-", "-");
	}
	print_place(d, a);
	for (size_t i = 0; i < a->loop_count; i++)
		fprintf(d->out, " %u:%" PRIu64, a->loops[i].loop, a->loops[i].iteration);
	fputs(a->loop_count ? "\n" : " -\n", d->out);
	return 0;
}

static int access_json(struct dump *d, const struct access *a, struct err *err)
{
	uint64_t offset;
	int64_t buffer;

	(void)err;
	fprintf(d->out,
	        "{\"launch\":%" PRIu64 ",\"group\":%" PRIu64 ",\"item\":[%" PRIu64 ",%" PRIu64
	        ",%" PRIu64 "],\"site\":%u,\"file\":",
	        d->facts->number, d->group, d->id[0], d->id[1], d->id[2], a->site);
	if (a->facts->place.file)
		text_write_json(d->out, a->facts->place.file);
	else
		fputs("null", d->out);
	fprintf(d->out, ",\"line\":%u,\"kind\":\"%s\"", a->facts->place.line,
	        site_kind_name(a->facts->kind));
	if (site_kind_has_address(a->facts->kind)) {
		buffer = dump_buffer(d, a, &offset);
		fprintf(d->out, ",\"bytes\":%" PRIu64 ",\"address\":\"0x%" PRIx64 "\"", a->bytes,
		        a->address);
		if (a->facts->space == SPACE_LOCAL)
			fprintf(d->out, ",\"space\":\"local\"");
		if (buffer >= 0)
			fprintf(d->out, ",\"buffer\":%" PRId64 ",\"offset\":%" PRIu64, buffer,
			        offset);
	}
	fprintf(d->out, ",\"loops\":[");
	for (size_t i = 0; i < a->loop_count; i++)
		fprintf(d->out, "%s[%u,%" PRIu64 "]", i ? "," : "", a->loops[i].loop,
		        a->loops[i].iteration);
	fprintf(d->out, "]}\n");
	return 0;
}

static int access_csv(struct dump *d, const struct access *a, struct err *err)
{
	uint64_t offset;
	int64_t buffer = -1;

	(void)err;
	fprintf(d->out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,",
	        d->facts->number, d->group, d->id[0], d->id[1], d->id[2], a->site);
	if (a->facts->place.file)
		text_write_csv(d->out, a->facts->place.file);
	fprintf(d->out, ",%u,%s,", a->facts->place.line, site_kind_name(a->facts->kind));
	if (site_kind_has_address(a->facts->kind)) {
		fprintf(d->out, "%" PRIu64 ",0x%" PRIx64 ",", a->bytes, a->address);
		buffer = dump_buffer(d, a, &offset);
	} else {
		fprintf(d->out, ",,");
	}
	if (buffer >= 0)
		fprintf(d->out, "%" PRId64 ",%" PRIu64 ",", buffer, offset);
	else
		fprintf(d->out, ",,");
	for (size_t i = 0; i < a->loop_count; i++)
		fprintf(d->out, "%s%u:%" PRIu64, i ? " " : "", a->loops[i].loop,
		        a->loops[i].iteration);
	fputc('\n', d->out);
	return 0;
}

const struct dump_format dump_text = { "text", begin_text, access_text, NULL, NULL };
const struct dump_format dump_json = { "json", NULL, access_json, NULL, NULL };
const struct dump_format dump_csv = {
	"csv", NULL, access_csv, NULL,
	"launch,group,item_x,item_y,item_z,site,file,line,kind,bytes,address,buffer,offset,loops\n"
};
