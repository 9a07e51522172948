/* SPDX-License-Identifier: Apache-2.0 */
#include "made_reports.h"

#include <stdio.h>

/* A copy of a text, NULL of none. */
static char *keep(char *to, size_t bytes, const char *text)
{
	if (text)
		snprintf(to, bytes, "%s", text);
	return text ? to : NULL;
}

static struct l1_stats_row row_of(uint64_t misses)
{
	return (struct l1_stats_row){ .reads = 2 * misses,
		                      .read_hits = misses,
		                      .read_misses = misses,
		                      .cold = misses,
		                      .lanes = 64 * misses,
		                      .bytes_from_l2 = 128 * misses };
}

void made_report_init(struct made_report *m, const char *kernel, const struct made_line *lines,
                      size_t launches)
{
	uint64_t misses = 0;
	size_t count = 0;

	*m = (struct made_report){ 0 };
	for (; lines[count].number; count++) {
		m->lines[count] =
			(struct report_line){ .file = "mm.cl",
			                      .line = lines[count].number,
			                      .text = keep(m->texts[count], sizeof(m->texts[count]),
			                                   lines[count].text),
			                      .l1 = row_of(lines[count].misses) };
		misses += lines[count].misses;
	}
	m->kernel.table.name = keep(m->name, sizeof(m->name), kernel);
	m->setup.gpu = (struct gpu){ .sm_count = 4, .l1_fill_bytes = 32 };
	m->recording = (struct recording){ .kernels = &m->kernel,
		                           .kernel_count = 1,
		                           .launches = m->recorded,
		                           .launch_count = launches };
	m->kernels[0] = (struct report_kernel){ .name = kernel,
		                                .launches_played = launches,
		                                .counts = { .l1 = row_of(misses) } };
	for (size_t i = 0; i < launches; i++) {
		m->recorded[i].shape = (struct launch_shape){ .dimensions = 1,
			                                      .global = { 4, 1, 1 },
			                                      .local = { 1, 1, 1 } };
		m->launches[i] =
			(struct report_launch){ .launch = i, .number = i, .is_played = true };
	}
	m->launches[0].counts.l1 = row_of(misses);
	m->data = (struct report_data){
		.recording = &m->recording,
		.setup = &m->setup,
		.is_whole = true,
		.launches_played = launches,
		.total = { .l1 = row_of(misses) },
		.kernels = m->kernels,
		.kernel_count = 1,
		.lines = m->lines,
		.line_count = count,
		.launches = m->launches,
		.launch_count = launches,
		.buffers = m->buffers,
	};
}

void made_report_buffer(struct made_report *m, int64_t buffer, const char *names)
{
	char *to = m->names[m->data.buffer_count];

	m->buffers[m->data.buffer_count++] =
		(struct report_buffer){ .buffer = buffer,
		                        .bytes = (uint64_t)(buffer + 1) << 20,
		                        .names = keep(to, sizeof(m->names[0]), names) };
}
