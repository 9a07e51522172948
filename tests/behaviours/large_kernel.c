/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel of the size that real programs have: 27 arguments, 40 loops five deep, helpers that take
 * global pointers, private arrays with dynamic indices. The text is made here. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>

enum { BUFFERS = 26, NESTS = 8 };

/* Eight nests of five loops of two iterations: one read, one write in the innermost. */
static size_t print_nest(FILE *to, unsigned nest)
{
	return (size_t)fprintf(
		to,
		"	for (uint a = 0; a < n; a++)\n"
		"	for (uint b = 0; b < 2; b++)\n"
		"	for (uint c = a; c < a + 2; c++)\n"
		"	for (uint d = 0; d < 2; d++)\n"
		"	for (uint e = 0; e < 2; e++) {\n"
		"		mine[(a + b + c + d + e) %% 8] += fetch(p%u, a + b);\n"
		"		put(p%u, mine[(e + %u) %% 8]);\n"
		"	}\n",
		nest, nest + 8, nest);
}

static char *make_source(void)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	fprintf(to, "uint fetch(global uint *p, uint i) { return p[get_global_id(0) + i]; }\n"
	            "void put(global uint *p, uint v) { p[get_global_id(0)] = v; }\n"
	            "kernel void large(");
	for (unsigned i = 0; i < BUFFERS; i++)
		fprintf(to, "global uint *p%u, ", i);
	fprintf(to, "uint n)\n{\n	uint mine[8] = { 0 };\n");
	for (unsigned i = 0; i < NESTS; i++)
		print_nest(to, i);
	for (unsigned i = 16; i < BUFFERS; i++)
		fprintf(to, "	put(p%u, mine[%u] + %u);\n", i, i % 8, i);
	fprintf(to, "}\n");
	return fclose(to) ? NULL : text;
}

int main(void)
{
	cl_mem buffers[BUFFERS];
	struct host h;
	char name[16], *source = make_source();
	cl_program program;
	cl_kernel kernel;

	if (!source)
		return 1;
	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "large");
	for (cl_uint i = 0; i < BUFFERS; i++) {
		buffers[i] = host_buffer(&h, 32, i);
		host_set_mem(kernel, i, buffers[i]);
	}
	host_set_uint(kernel, BUFFERS, 2);
	host_launch(&h, kernel, 16, 8);
	for (cl_uint i = 0; i < BUFFERS; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		host_print(&h, name, buffers[i], 32);
		clReleaseMemObject(buffers[i]);
	}
	free(source);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
