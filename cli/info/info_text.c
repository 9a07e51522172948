/* SPDX-License-Identifier: Apache-2.0 */
#include "info.h"

#include "cuda_words.h"
#include "launch_summary.h"
#include "launch_summary_text.h"
#include "recording.h"
#include "shape_text.h"
#include "site.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES_SHOWN = 20, BUFFERS_SHOWN = 20 };

static void print_head(FILE *out, const struct recording *r)
{
	fprintf(out, "recording %s\nmade by   warpline %s\ncommand  ", r->dir, r->tool_version);
	for (size_t i = 0; i < r->command_count; i++) {
		char *word = str_visible(r->command[i], NULL);

		fprintf(out, " %s", word ? word : "?");
		free(word);
	}
	if (recording_unsigned_texts(r))
		fprintf(out,
		        "\nformat    %" PRIu32
		        ": no checksums of sources and bypass lists (%" PRIu64 "): damage in them "
		        "would not be found",
		        r->version, recording_unsigned_texts(r));
	if (r->exit_status < 0)
		fprintf(out, "\nexit      not known\n");
	else
		fprintf(out, "\nexit      %d\n", r->exit_status);
	for (size_t i = 0; i < r->device_count; i++) {
		const struct recorded_device *d = &r->devices[i];

		fprintf(out, "device    %s", d->name);
		if (*d->platform)
			fprintf(out, " (%s)", d->platform);
		if (*d->driver)
			fprintf(out, ", driver %s", d->driver);
		fprintf(out, ", %u address bits\n", d->address_bits);
	}
}

/* A bypass list that the recording keeps. */
static void print_kept(FILE *out, const char *label, const struct recorded_list *kept,
                       const char *what)
{
	char rules[SHAPE_TEXT_BYTES];

	if (kept->file)
		fprintf(out, "%s%s %s (%s)\n", label, amount_text(rules, kept->rules, "rule"), what,
		        kept->file);
}

/* Print the sites whose loads bypass L1 on devices with NVIDIA's compiler. */
static void print_applied(FILE *out, const struct kernel_table *t)
{
	const char *head = "    loads changed to bypass L1 (NVIDIA's OpenCL): sites ";

	for (size_t i = 0; t->is_applied && i < t->site_count; i++) {
		if (!t->is_applied[i])
			continue;
		fprintf(out, "%s%zu", head, i);
		head = ", ";
	}
	if (*head == ',')
		fputc('\n', out);
}

static void print_kernel(FILE *out, const struct recording *r, const struct recorded_kernel *k)
{
	const struct kernel_table *t = &k->table;
	char sites[SHAPE_TEXT_BYTES], loops[SHAPE_TEXT_BYTES], arguments[SHAPE_TEXT_BYTES];

	if (!*k->door) {
		fprintf(out, "  %s: runs unmodified: %s\n", t->name,
		        k->reason ? k->reason : "no reason recorded");
		return;
	}
	fprintf(out, "  %s: by %s%s%s, %s, %s, %s%s\n", t->name, k->door,
	        t->records && *t->records ? ", records " : "", t->records ? t->records : "",
	        amount_text(sites, t->site_count, "site"),
	        amount_text(loops, t->loop_count, "loop"),
	        amount_text(arguments, t->argument_count, "argument"),
	        t->is_irreducible ? ", irreducible control flow: lane order is a convention" : "");
	if (t->local_groups)
		fprintf(out,
		        "    %s of %" PRIu32 " %s of a launch; --json names them, and record "
		        "--spaces local records all\n",
		        cuda_word(r, "local memory"), t->local_groups, cuda_word(r, "groups"));
	print_applied(out, t);
	if (k->reason)
		fprintf(out, "    %s%s\n",
		        strcmp(k->door, "imported") ? "not by another door: " : "", k->reason);
	for (size_t i = 0; i < t->unrecorded_count; i++) {
		const struct unrecorded *u = &t->unrecorded[i];

		fprintf(out, "    not recorded: %s at %s:%u\n", u->what,
		        u->place.file ? u->place.file : "?", u->place.line);
	}
}

static void print_launch(FILE *out, const struct recording *r, size_t i)
{
	const struct recorded_launch *l = &r->launches[i];
	char global[SHAPE_TEXT_BYTES], local[SHAPE_TEXT_BYTES];
	char accesses[COUNT_TEXT_BYTES], bytes[COUNT_TEXT_BYTES];
	uint64_t grid[3];

	for (int d = 0; d < 3; d++)
		grid[d] = launch_shape_groups(&l->shape, d);
	fprintf(out, "  %6" PRIu64 "  %-24s %14s %10s ", l->number,
	        r->kernels[l->kernel].table.name,
	        shape_text(global, cuda_words_wanted(r) ? grid : l->shape.global),
	        shape_text(local, l->shape.local));
	if (l->fate == LAUNCH_TRACED)
		fprintf(out, "%15s %15s%s%s%s%s\n", count_text(accesses, l->totals.accesses),
		        count_text(bytes, l->totals.file_bytes), l->groups_selected ? "  " : "",
		        l->groups_selected ? cuda_word(r, "groups") : "",
		        l->groups_selected ? " " : "",
		        l->groups_selected ? l->groups_selected : "");
	else if (l->fate == LAUNCH_COUNTED)
		fprintf(out, "%15s         counted\n", count_text(accesses, l->totals.accesses));
	else if (l->fate == LAUNCH_UNSELECTED)
		fprintf(out, "not selected\n");
	else if (l->fate == LAUNCH_LIMITED)
		fprintf(out, "left out: %s\n", launch_summary_reason(r, i));
	else
		fprintf(out, "not recorded: %s\n", launch_summary_reason(r, i));
}

static void print_more(FILE *out, size_t count, size_t shown)
{
	if (count > shown)
		fprintf(out, "  ... and %zu more (see --json)\n", count - shown);
}

static void print_launches(FILE *out, const struct recording *r)
{
	bool is_cuda = cuda_words_wanted(r);

	fprintf(out, "\nlaunches:\n  %6s  %-24s %14s %10s %15s %15s\n", "number", "kernel",
	        is_cuda ? "grid" : "global", is_cuda ? cuda_word(r, "group") : "local", "accesses",
	        "bytes on disk");
	for (size_t i = 0; i < r->launch_count && i < LAUNCHES_SHOWN; i++)
		print_launch(out, r, i);
	print_more(out, r->launch_count, LAUNCHES_SHOWN);
	launch_summary_print_tallies(out, r, "  only counted: ");
}

static void print_buffers(FILE *out, const struct recording *r)
{
	char bytes[COUNT_TEXT_BYTES];

	fprintf(out, "\nbuffers:\n");
	for (size_t i = 0; i < r->buffer_count && i < BUFFERS_SHOWN; i++) {
		const struct recorded_buffer *b = &r->buffers[i];

		fprintf(out, "  %6zu  %15s bytes", i, count_text(bytes, b->bytes));
		if (b->parent >= 0)
			fprintf(out, ", in buffer %" PRId64 " at %" PRIu64, b->parent,
			        b->origin_bytes);
		fprintf(out, "%s\n", b->svm_address ? ", shared virtual memory" : "");
	}
	print_more(out, r->buffer_count, BUFFERS_SHOWN);
}

void info_print_text(FILE *out, const struct recording *r, const struct launch_summary *s,
                     const struct completeness *c)
{
	char times[SHAPE_TEXT_BYTES];

	print_head(out, r);
	if (access_level_of(r) != ACCESS_LEVEL_UNKNOWN)
		fprintf(out, "level     %s\n", access_level_text(access_level_of(r)));
	launch_summary_print(s, out);
	launch_summary_print_time(s, r, out);
	print_kept(out, "bypass    ", &r->bypass, "that replay applies");
	print_kept(out, "applied   ", &r->applied, "by which loads were changed");
	if (c->limit)
		fprintf(out, "limit     %s\n", c->limit);
	fprintf(out, "complete  %s%s\n",
	        c->is_complete ? "yes" : "no; missing: ", c->missing ? c->missing : "");
	if (r->kernel_count)
		fprintf(out, "\nkernels:\n");
	for (size_t i = 0; i < r->kernel_count; i++)
		print_kernel(out, r, &r->kernels[i]);
	if (r->launches_seen)
		print_launches(out, r);
	launch_summary_print_sites(out, r);
	if (r->buffer_count)
		print_buffers(out, r);
	if (r->note_count)
		fprintf(out, "\nnot recorded:\n");
	for (size_t i = 0; i < r->note_count; i++)
		fprintf(out, "  %s %s: %s\n", amount_text(times, r->notes[i].count, "time"),
		        r->notes[i].what, r->notes[i].reason);
}
