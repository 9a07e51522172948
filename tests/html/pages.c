/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

#include "err.h"
#include "finding.h"

#include <stdlib.h>
#include <string.h>

enum { KERNELS = 4, LINES = 6, BUFFERS = 3, ARGUMENTS = 3, LAUNCHES_MANY = 10000, GRID = 128 };

static char plain_source[] =
	"/* C = A * B, one element for each work-item. */\n"
	"#define ROW(m, i) ((m) + (i) * n)\n"
	"\n"
	"__kernel void matmul(__global const float *A, __global const float *B,\n"
	"                     __global float *C, int n)\n"
	"{\n"
	"\tint i = get_global_id(1);\n"
	"\tint j = get_global_id(0);\n"
	"\tfloat sum = 0;\n"
	"\tfor (int k = 0; k < n; k++)\n"
	"\t\tsum += A[i * n + k] * B[j * n + k]; // B by columns, of a matrix that is kept by "
	"rows\n"
	"\tC[i * n + j] = sum;\n"
	"}\n"
	"\n"
	"__kernel void scale(__global float *C, float by)\n"
	"{\n"
	"\tC[get_global_id(0)] *= by;\n"
	"}\n";

/* Ends scripts, comments, attributes and strings; is no UTF-8; turns text around. */
#define HOSTILE                                                                                    \
	"</script><script>document.title='owned'</script><!--\"'><img src=x onerror=alert(1)>"     \
	"&lt;\xe2\x80\xa8\xe2\x80\xae\xff\xc0\xaf\x01\\u003c${1}`]]>"

static char hostile_text[] = HOSTILE;
static char hostile_source[] = "int x; // " HOSTILE "\r\n</td></table></style><h1>owned</h1>\n"
			       "\t" HOSTILE "\n";

/* The structs of a recording do not say const. */
static char kernel_names[KERNELS][16] = { "matmul", "scale", "bfs_expand_10", "bfs_expand_9" };
static char buffer_names[BUFFERS][8] = { "A, x", "B", "C" };
static char program_name[] = "/home/someone/programs/matmul";
static char line_text[] = "sum += A[i]";
static char sentence[] =
	"matmul.cl:11 reads B with a lane stride of 2,048 bytes: 32 requests where 1 "
	"would do; 71% of all misses, capacity";

/* Numbers of a row that agree with each other, of any size and mixture. */
static struct l1_stats_row make_row(uint64_t reads, uint32_t percent, uint32_t kind)
{
	struct l1_stats_row row = { .reads = reads };

	row.read_misses = reads * percent / 100;
	row.pending_hits = (reads - row.read_misses) / 10;
	row.read_hits = reads - row.read_misses - row.pending_hits;
	row.cold = row.read_misses / (kind + 2);
	row.conflict = kind % 2 ? (row.read_misses - row.cold) / 3 : 0;
	row.capacity = row.read_misses - row.cold - row.conflict;
	row.writes = reads / 16;
	row.lanes = (row.reads + row.writes) * (kind == 1 ? 1 : 29);
	row.bytes_from_l2 = row.read_misses * 128;
	row.bytes_moved = row.bytes_from_l2;
	row.bytes_used = row.bytes_moved / (kind == 1 ? 32 : 1);
	row.lines = row.read_misses;
	return row;
}

static void add_launch(struct made_page *m, size_t i, uint32_t kernel)
{
	struct report_launch *l = &m->data.launches[i];
	struct report_kernel *k = &m->data.kernels[kernel];

	*l = (struct report_launch){ .launch = i,
		                     .number = 2 * i + 1,
		                     .kernel = kernel,
		                     .is_played = true,
		                     .is_whole = true };
	l->counts.l1 = make_row(1000 * (i + 1) % 700001, (uint32_t)(i * 7 % 100), kernel);
	l->counts.lanes = l->counts.l1.lanes;
	l->counts.cycles = 40 * l->counts.l1.reads;
	l1_stats_add(&k->counts.l1, &l->counts.l1);
	k->counts.cycles += l->counts.cycles;
	k->launches_played++;
	l1_stats_add(&m->data.total.l1, &l->counts.l1);
	m->data.total.cycles += l->counts.cycles;
}

static int add_launches(struct made_page *m, size_t count)
{
	struct report_data *d = &m->data;

	d->launches = calloc(count + 1, sizeof(*d->launches));
	d->kernels = calloc(KERNELS, sizeof(*d->kernels));
	if (!d->launches || !d->kernels)
		return ERR_NOMEM;
	d->launch_count = d->launches_played = d->launches_asked = count;
	d->kernel_count = count ? KERNELS : 0;
	for (uint32_t k = 0; k < KERNELS; k++) {
		d->kernels[k].kernel = k;
		d->kernels[k].name = m->recording.kernels[k].table.name;
		d->kernels[k].sets = calloc(m->gpu.l1_sets, sizeof(*d->kernels[k].sets));
		if (!d->kernels[k].sets)
			return ERR_NOMEM;
		for (uint32_t s = 0; s < m->gpu.l1_sets; s++)
			d->kernels[k].sets[s].read_misses =
				(uint64_t)count * (s % 8 ? 30U + s : 2900U - 40U * s);
	}
	for (size_t i = 0; i < count; i++)
		add_launch(m, i, (uint32_t)(i % KERNELS));
	return 0;
}

static int add_recording(struct made_page *m, bool is_hostile)
{
	struct recording *r = &m->recording;

	r->command = calloc(1, sizeof(*r->command));
	r->kernels = calloc(KERNELS, sizeof(*r->kernels));
	r->launches = calloc(LAUNCHES_MANY, sizeof(*r->launches));
	if (!r->command || !r->kernels || !r->launches)
		return ERR_NOMEM;
	r->command[0] = is_hostile ? hostile_text : program_name;
	r->command_count = 1;
	r->kernel_count = KERNELS;
	r->launch_count = LAUNCHES_MANY;
	for (size_t k = 0; k < KERNELS; k++)
		r->kernels[k].table.name = is_hostile ? hostile_text : kernel_names[k];
	return 0;
}

static int add_lines(struct made_page *m, bool is_hostile)
{
	static const uint32_t numbers[LINES] = { 11, 12, 17, 1, 2, 3 };
	struct report_data *d = &m->data;

	d->lines = calloc(LINES, sizeof(*d->lines));
	d->sites = calloc(LINES, sizeof(*d->sites));
	d->sources = calloc(1, sizeof(*d->sources));
	if (!d->lines || !d->sites || !d->sources)
		return ERR_NOMEM;
	d->line_count = is_hostile ? LINES : 3;
	for (size_t i = 0; i < LINES; i++) {
		struct report_line *l = &d->lines[i];

		*l = (struct report_line){ .file = is_hostile ? hostile_text
			                                      : "sources/program-0000.cl",
			                   .line = numbers[i],
			                   .site = i,
			                   .kernel = i == 2,
			                   .text = is_hostile ? hostile_text : line_text };
		l->l1 = make_row(i ? 2000 : 900000, i ? 3 : 81, i ? 0 : 1);
	}
	source_text_make(&d->sources[0], is_hostile ? hostile_text : "sources/program-0000.cl",
	                 is_hostile ? hostile_source : plain_source,
	                 strlen(is_hostile ? hostile_source : plain_source));
	d->source_count = 1;
	return 0;
}

static int add_memory(struct made_page *m, bool is_hostile)
{
	struct report_data *d = &m->data;

	d->buffers = calloc(BUFFERS, sizeof(*d->buffers));
	d->arguments = calloc(ARGUMENTS, sizeof(*d->arguments));
	if (!d->buffers || !d->arguments)
		return ERR_NOMEM;
	d->buffer_count = BUFFERS;
	d->argument_count = ARGUMENTS;
	for (size_t i = 0; i < BUFFERS; i++) {
		char *name = is_hostile ? hostile_text : buffer_names[i];

		d->buffers[i] = (struct report_buffer){ .buffer = (int64_t)i,
			                                .bytes = 262144,
			                                .names = name,
			                                .l1 = make_row(90000, 40, 1) };
		d->arguments[i] = (struct report_argument){ .argument = (int64_t)i,
			                                    .name = name,
			                                    .type = is_hostile ? hostile_text
			                                                       : "__global const "
			                                                         "float *",
			                                    .l1 = make_row(90000, 40, 1) };
	}
	return 0;
}

static int add_findings(struct made_page *m, bool is_hostile)
{
	struct finding_list *list = &m->data.findings;

	list->items = calloc(2, sizeof(*list->items));
	if (!list->items)
		return ERR_NOMEM;
	list->count = 2;
	list->items[0] = (struct finding){
		.rule = FINDING_UNCOALESCED,
		.severity = FINDING_SEVERE,
		.cost_share = 0.7123,
		.sentence = is_hostile ? hostile_text : sentence,
		.advice = "let neighbouring work-items access neighbouring elements",
		.evidence = { { "requests an instruction", "", 31.5, 4, true, false },
		              { "requests", "", 921600, 0, false, false },
		              { "used", "share", 0.031, 0.5, true, true } },
		.evidence_count = 3,
	};
	list->items[1] = list->items[0];
	list->items[1].rule = FINDING_HOT_LINE;
	list->items[1].severity = FINDING_MINOR;
	list->items[1].cost_share = 0.02;
	return 0;
}

/* A curve that falls, bins of reuse, and a panel with a slope and bands. */
static int add_pictures(struct made_page *m, struct err *err)
{
	struct report_data *d = &m->data;
	struct plot_panel *panel = &m->order.picture.panels[0];
	static struct plot_place place = { .buffer = 1,
		                           .counts = { 16384, 0, 0 },
		                           .high = GRID * 4 - 4 };

	d->curve.points = calloc(12, sizeof(*d->curve.points));
	if (!d->curve.points)
		return ERR_NOMEM;
	d->curve.reads = 100000;
	d->curve.enough_lines = 1024;
	for (; d->curve.count < 12; d->curve.count++) {
		uint64_t misses = 90000 - 7000 * d->curve.count;

		d->curve.points[d->curve.count] = (struct report_curve_point){
			.lines = UINT64_C(1) << d->curve.count,
			.misses = misses,
			.set_misses = d->curve.count < 5 ? UINT64_MAX : misses + 5000
		};
	}
	for (uint32_t i = 0; i < 12; i++)
		d->reuse.uses[i] =
			(struct l1_stats_uses){ UINT64_C(9000) >> i, UINT64_C(128) * (9000 >> i),
			                        UINT64_C(4096) >> i };
	m->order.has_launch = true;
	m->order.picture.accesses = UINT64_C(128) * GRID;
	m->order.table = &m->recording.kernels[0].table;
	*panel = (struct plot_panel){ .place = &place, .act = PLOT_READS, .element_shift = 2 };
	m->order.picture.panel_count = 1;
	if (plot_raster_init(&panel->raster,
	                     plot_axis_fit(0, m->order.picture.accesses - 1, 0, GRID),
	                     plot_axis_fit(0, place.high, 2, GRID), err))
		return ERR_NOMEM;
	for (uint64_t i = 0; i < m->order.picture.accesses; i += 3)
		plot_raster_add(&panel->raster, i, i % 7 ? i / GRID * 4 : i * 20 % place.high, 0);
	return 0;
}

enum page_kind made_page_kind(const char *name)
{
	static const char *const names[PAGE_KINDS] = { "plain", "hostile", "many", "bare" };
	size_t i = 0;

	while (i < PAGE_KINDS && strcmp(name, names[i]) != 0)
		i++;
	return (enum page_kind)i;
}

int made_page_init(struct made_page *m, enum page_kind kind, struct err *err)
{
	static const size_t launches[PAGE_KINDS] = { 12, 2004, LAUNCHES_MANY, 0 };
	bool is_hostile = kind == PAGE_HOSTILE;
	int ret;

	*m = (struct made_page){ 0 };
	m->data.recording = &m->recording;
	m->data.completeness.is_complete = kind != PAGE_HOSTILE;
	m->data.completeness.missing = is_hostile ? hostile_text : NULL;
	m->data.is_whole = true;
	m->page = (struct html_page){ .data = &m->data, .gpu = &m->gpu, .order = &m->order };
	ret = gpu_load(&m->gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, err);
	if (!ret)
		ret = add_recording(m, is_hostile);
	if (!ret)
		ret = add_launches(m, launches[kind]);
	if (ret || kind == PAGE_BARE)
		return ret;
	ret = add_lines(m, is_hostile);
	if (!ret)
		ret = add_memory(m, is_hostile);
	if (!ret)
		ret = add_findings(m, is_hostile);
	return ret ? ret : add_pictures(m, err);
}

void made_page_release(struct made_page *m)
{
	struct report_data *d = &m->data;

	for (size_t k = 0; d->kernels && k < KERNELS; k++)
		free(d->kernels[k].sets);
	free(d->launches);
	free(d->kernels);
	free(d->lines);
	free(d->sites);
	for (size_t i = 0; i < d->source_count; i++)
		source_text_release(&d->sources[i]);
	free(d->sources);
	free(d->buffers);
	free(d->arguments);
	free(d->findings.items);
	free(d->curve.points);
	free(m->recording.command);
	free(m->recording.kernels);
	free(m->recording.launches);
	order_picture_release(&m->order.picture);
}
