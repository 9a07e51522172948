/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each line of the file; `take` returns 0 or -1. */
static int each_line(const char *path, struct cuda_output *o,
                     int (*take)(struct cuda_output *o, const char *line, uint32_t number),
                     char *message, size_t size)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	uint32_t number = 0;
	int ret = 0;

	if (!in) {
		snprintf(message, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	while (!ret && getline(&line, &room, in) >= 0)
		ret = take(o, line, ++number);
	if (ret)
		snprintf(message, size, "%s:%u: this line is not understood", path, number);
	free(line);
	fclose(in);
	return ret;
}

static int take_printed(struct cuda_output *o, const char *line, uint32_t number)
{
	struct cuda_buffer b;
	struct cuda_number n;

	(void)number;
	if (sscanf(line, "buffer %31s 0x%" SCNx64 " %" SCNu64, b.name, &b.address, &b.bytes) == 3) {
		if (o->buffer_count == CUDA_BUFFERS_MAX)
			return -1;
		o->buffers[o->buffer_count++] = b;
	} else if (sscanf(line, "number %31s %" SCNd64, n.name, &n.value) == 2) {
		if (o->number_count == CUDA_BUFFERS_MAX)
			return -1;
		o->numbers[o->number_count++] = n;
	}
	return 0;
}

static int take_tag(struct cuda_output *o, const char *line, uint32_t number)
{
	const char *at = strstr(line, "// @");
	unsigned long tag = at ? strtoul(at + 4, NULL, 10) : 0;

	if (!at)
		return 0;
	if (tag == 0 || tag >= CUDA_TAGS_MAX || o->tags[tag].file)
		return -1;
	o->tags[tag].file = o->sources[o->source_count - 1];
	o->tags[tag].line = number;
	return 0;
}

int cuda_output_read(struct cuda_output *o, const char *path, char *message, size_t size)
{
	return each_line(path, o, take_printed, message, size);
}

int cuda_output_read_source(struct cuda_output *o, const char *path, char *message, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (o->source_count == CUDA_SOURCES_MAX) {
		snprintf(message, size, "%s: more than %d sources", path, CUDA_SOURCES_MAX);
		return -1;
	}
	o->sources[o->source_count++] = slash ? slash + 1 : path;
	return each_line(path, o, take_tag, message, size);
}

bool cuda_output_is_source(const struct cuda_output *o, const char *file)
{
	for (size_t i = 0; i < o->source_count; i++)
		if (strcmp(o->sources[i], file) == 0)
			return true;
	return false;
}

const struct cuda_buffer *cuda_output_at(const struct cuda_output *o, uint64_t address)
{
	for (size_t i = o->buffer_count; i-- > 0;)
		if (address - o->buffers[i].address < o->buffers[i].bytes)
			return &o->buffers[i];
	return NULL;
}
