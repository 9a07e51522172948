/* SPDX-License-Identifier: Apache-2.0 */
/*
 * problems - launch kernels of a family of known problems as the command line says.
 *
 *     problems_FAMILY KERNEL GLOBAL GROUP ARGUMENT... [-- KERNEL GLOBAL GROUP ARGUMENT...]...
 *
 * GLOBAL and GROUP are one or two sizes, as in 512x64. An argument of the kernel is one of
 *
 *     n:VALUE         a uint
 *     local:BYTES     local memory
 *     #N              the N-th buffer that was made so far, from 0
 *     KIND:SHAPE      a new buffer; `fills` below lists the kinds
 *
 * A SHAPE is COUNT or ROWSxCOLUMNS values, in that logical order whatever its layout in memory:
 * /PITCH begins a row every PITCH values, ^ stores column by column, @OFFSET begins at that value.
 * Values depend on their logical place alone, so that two kernels that compute the same from
 * different layouts print the same checksum, which is of all outputs, in logical order. Numbers are
 * small and whole: a sum of floats is exact in any order.
 */
#include "host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BUFFERS = 16, SPARSE = 8, SMALL = 8 };

struct shape {
	size_t rows, columns, pitch, offset;
	bool is_transposed;
};

enum role { ROLE_INPUT, ROLE_OUTPUT, ROLE_UNORDERED };

struct fill {
	const char *name;
	size_t value_bytes;
	uint32_t (*value)(uint64_t place, size_t count); /* NULL: zeros */
	enum role role;
};

struct buffer {
	cl_mem memory;
	const struct fill *fill;
	struct shape shape;
	void *values;
};

struct problem {
	struct host host;
	struct buffer buffers[MAX_BUFFERS];
	size_t count;
};

static uint32_t draw(uint64_t place)
{
	return (uint32_t)(host_random(&place) >> 32);
}

static uint32_t float_value(uint64_t place, size_t count)
{
	float value = (float)(draw(place) % SMALL);
	uint32_t bits;

	(void)count;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static uint32_t small_value(uint64_t place, size_t count)
{
	(void)count;
	return draw(place) % SMALL;
}

static uint32_t word_value(uint64_t place, size_t count)
{
	(void)count;
	return draw(place);
}

static uint32_t index_value(uint64_t place, size_t count)
{
	return (uint32_t)(draw(place) % count);
}

/* Every eighth place has a number, the others none. */
static uint32_t sparse_value(uint64_t place, size_t count)
{
	(void)count;
	return place % SPARSE == 0 ? (uint32_t)(place / SPARSE) : UINT32_MAX;
}

static const struct fill fills[] = {
	{ "float", 4, float_value, ROLE_INPUT },   /* 0 to 7 */
	{ "byte", 1, small_value, ROLE_INPUT },    /* 0 to 7 */
	{ "word", 4, word_value, ROLE_INPUT },     /* any 32 bits */
	{ "index", 4, index_value, ROLE_INPUT },   /* random, below the number of values */
	{ "sorted", 4, index_value, ROLE_INPUT },  /* the same, in ascending order */
	{ "sparse", 4, sparse_value, ROLE_INPUT }, /* one in eight counts up, the others ~0 */
	{ "zero", 4, NULL, ROLE_INPUT },           /* for what a kernel keeps for a later one */
	{ "out", 4, NULL, ROLE_OUTPUT },           /* zeros; part of the checksum */
	{ "bag", 4, NULL, ROLE_UNORDERED },        /* the same, in whatever order */
};

static size_t shape_count(const struct shape *s)
{
	return s->rows * s->columns;
}

static size_t shape_extent(const struct shape *s)
{
	return s->offset + s->rows * s->pitch;
}

/* Where a logical value is. */
static size_t shape_at(const struct shape *s, size_t place)
{
	size_t row = place / s->columns, column = place % s->columns;

	return s->offset + (s->is_transposed ? column * s->rows + row : row * s->pitch + column);
}

static size_t number(const struct host *host, const char **text)
{
	char *end;
	unsigned long long value = strtoull(*text, &end, 10);

	if (end == *text)
		host_usage(host, "'%s': expected a number", *text);
	*text = end;
	return (size_t)value;
}

static struct shape shape_parse(const struct host *host, const char *text)
{
	struct shape s = { .rows = 1 };
	const char *p = text;

	s.columns = number(host, &p);
	if (*p == 'x') {
		p++;
		s.rows = s.columns;
		s.columns = number(host, &p);
	}
	s.pitch = s.columns;
	for (; *p == '/' || *p == '^' || *p == '@';) {
		char what = *p++;

		if (what == '^')
			s.is_transposed = true;
		else if (what == '/')
			s.pitch = number(host, &p);
		else
			s.offset = number(host, &p);
	}
	if (*p || !shape_count(&s) || s.pitch < s.columns)
		host_usage(host, "'%s': expected a shape, such as 64x100/128", text);
	return s;
}

static int compare_words(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void buffer_fill(struct buffer *b)
{
	size_t count = shape_count(&b->shape);

	for (size_t place = 0; b->fill->value && place < count; place++) {
		uint32_t value = b->fill->value(place, count);
		size_t at = shape_at(&b->shape, place);

		if (b->fill->value_bytes == 1)
			((uint8_t *)b->values)[at] = (uint8_t)value;
		else
			((uint32_t *)b->values)[at] = value;
	}
	if (!strcmp(b->fill->name, "sorted"))
		qsort(b->values, count, sizeof(uint32_t), compare_words);
}

static cl_mem buffer_make(struct problem *p, const struct fill *fill, const char *shape)
{
	struct buffer *b = &p->buffers[p->count];

	if (p->count == MAX_BUFFERS)
		host_usage(&p->host, "more than %d buffers", (int)MAX_BUFFERS);
	p->count++;
	b->fill = fill;
	b->shape = shape_parse(&p->host, shape);
	b->values = host_alloc(&p->host, shape_extent(&b->shape), fill->value_bytes);
	buffer_fill(b);
	b->memory = host_buffer(&p->host, CL_MEM_READ_WRITE,
	                        shape_extent(&b->shape) * fill->value_bytes, b->values);
	return b->memory;
}

static cl_mem buffer_of(struct problem *p, const char *text)
{
	const char *colon = strchr(text, ':'), *at = text + 1;

	if (*text == '#') {
		size_t n = number(&p->host, &at);

		if (!*at && n < p->count)
			return p->buffers[n].memory;
	}
	for (size_t i = 0; colon && i < sizeof(fills) / sizeof(fills[0]); i++)
		if (strlen(fills[i].name) == (size_t)(colon - text) &&
		    !strncmp(fills[i].name, text, (size_t)(colon - text)))
			return buffer_make(p, &fills[i], colon + 1);
	host_usage(&p->host, "'%s' is not an argument", text);
}

static void argument_set(struct problem *p, cl_kernel kernel, cl_uint index, const char *text)
{
	const char *value = strchr(text, ':');

	value = value ? value + 1 : text;
	if (!strncmp(text, "n:", 2))
		host_set_uint(&p->host, kernel, index, (cl_uint)number(&p->host, &value));
	else if (!strncmp(text, "local:", 6))
		host_set_local(&p->host, kernel, index, number(&p->host, &value));
	else
		host_set_mem(&p->host, kernel, index, buffer_of(p, text));
}

static void sizes_parse(const struct host *host, const char *text, size_t sizes[3])
{
	const char *p = text;

	sizes[0] = number(host, &p);
	sizes[1] = sizes[2] = 1;
	if (*p == 'x') {
		p++;
		sizes[1] = number(host, &p);
	}
	if (*p)
		host_usage(host, "'%s': expected one or two sizes, as in 512x64", text);
}

/* Launch what `words` says, up to "--" or NULL. Returns where it ends. */
static char **launch(struct problem *p, char **words)
{
	size_t global[3];
	cl_kernel kernel;

	if (!words[0] || !words[1] || !words[2])
		host_usage(&p->host, "expected KERNEL GLOBAL GROUP ARGUMENT...");
	kernel = host_kernel(&p->host, words[0]);
	sizes_parse(&p->host, words[1], global);
	sizes_parse(&p->host, words[2], p->host.group);
	words += 3;
	for (cl_uint i = 0; *words && strcmp(*words, "--") != 0; i++)
		argument_set(p, kernel, i, *words++);
	host_launch(&p->host, kernel, global);
	clReleaseKernel(kernel);
	return words;
}

/* The outputs' values, gathered in logical order, or sorted where the order is free. */
static uint32_t *outputs(struct problem *p, size_t *count)
{
	uint32_t *all = NULL;

	*count = 0;
	for (struct buffer *b = p->buffers; b < p->buffers + p->count; b++) {
		size_t n = shape_count(&b->shape);

		if (b->fill->role == ROLE_INPUT)
			continue;
		all = realloc(all, (*count + n) * sizeof(*all));
		if (!all)
			host_fail(&p->host, "no memory for %zu values", *count + n);
		host_read(&p->host, b->memory, b->values, shape_extent(&b->shape) * sizeof(*all));
		for (size_t place = 0; place < n; place++)
			all[*count + place] = ((uint32_t *)b->values)[shape_at(&b->shape, place)];
		if (b->fill->role == ROLE_UNORDERED)
			qsort(all + *count, n, sizeof(*all), compare_words);
		*count += n;
	}
	return all;
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = { .name = "problems", .dimensions = 2 };
	struct problem p = { .host = { .spec = &spec } };
	char **words = argv + 1;
	uint32_t *all;
	size_t count;

	if (argc < 2)
		host_usage(&p.host, "expected KERNEL GLOBAL GROUP ARGUMENT...");
	host_open(&p.host);
	for (words = launch(&p, words); *words; words = launch(&p, words + 1))
		;
	all = outputs(&p, &count);
	host_set_checksum(&p.host, all, count * sizeof(*all));
	printf("values=%zu checksum=%016" PRIx64 "\n", count, p.host.checksum);
	free(all);
	for (size_t i = 0; i < p.count; i++) {
		clReleaseMemObject(p.buffers[i].memory);
		free(p.buffers[i].values);
	}
	host_close(&p.host);
	return fflush(stdout) == 0 ? 0 : 1;
}
