/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_random SEED [DOUBLE]: a pseudo-random OpenCL C program on stdout, the same for the same
 * seed.
 *
 * Its kernels read and write only inside 32 KiB buffers, end, and have no undefined behaviour:
 * signed arithmetic is done unsigned or on few bits, divisors are small and positive, what becomes
 * an integer is in range. What they leave does not tell NaNs apart. DOUBLE: with double.
 */
#include "random_expression.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { KERNELS = 6, ITEM_WORDS = 32 };

static unsigned loop_count, indent;

static void line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void line(const char *fmt, ...)
{
	va_list arguments;

	for (unsigned i = 0; i < indent; i++)
		putchar('\t');
	va_start(arguments, fmt);
	vprintf(fmt, arguments);
	va_end(arguments);
}

static void put_statements(unsigned count, unsigned depth);

static void put_assignment(void)
{
	unsigned n = random_pick(random_scope.variable_count);
	const struct random_variable *v = &random_scope.variables[n];

	if (v->lanes > 1 && !random_pick(3)) {
		line("x%u.s%x = ", n, random_pick(v->lanes));
		random_expression_put(v->type, 1, 3);
	} else {
		line("x%u = ", n);
		random_expression_put(v->type, v->lanes, 3);
	}
	printf(";\n");
}

static void put_store(void)
{
	switch (random_pick(5)) {
	case 0:
		line("array[x0 & 7] = ");
		random_expression_put(4, 1, 2);
		break;
	case 1:
		line("s.part[%u].b = ", random_pick(2));
		random_expression_put(2, 1, 2);
		break;
	case 2:
		line("s.part[x0 & 1] = s.part[%u]", random_pick(2));
		break;
	case 3:
		line("s = mix(s, ");
		random_expression_put(4, 1, 2);
		printf(")");
		break;
	default:
		line("u.f = ");
		random_expression_put(8, 1, 1);
		printf("; u.u &= 0x3fffffffu; x0 += u.h[%u]", random_pick(2));
	}
	printf(";\n");
}

static void put_loop(unsigned depth)
{
	unsigned n = loop_count++;
	bool is_do = !random_pick(3);

	line("uint i%u = 0;\n", n);
	if (is_do) {
		line("do {\n");
	} else {
		line("for (; i%u < %u + (x0 & 3); i%u++) {\n", n, random_pick(4), n);
	}
	indent++;
	if (is_do)
		line("i%u++;\n", n);
	put_statements(2, depth - 1);
	if (random_pick(2)) {
		line("if (");
		random_expression_condition(1);
		printf(")\n");
		line("\t%s;\n", random_pick(2) ? "break" : "continue");
		put_statements(1, depth - 1);
	}
	indent--;
	if (is_do)
		line("} while (i%u < %u);\n", n, random_pick(4) + 1);
	else
		line("}\n");
}

static void put_switch(unsigned depth)
{
	line("switch (x0 %% 5) {\n");
	for (unsigned i = 0; i < 4; i++) {
		line("case %u: {\n", i);
		indent++;
		put_statements(1, depth - 1);
		if (random_pick(3))
			line("break;\n");
		indent--;
		line("}\n");
	}
	if (random_pick(2)) {
		line("default: {\n");
		indent++;
		put_statements(1, depth - 1);
		indent--;
		line("}\n");
	}
	line("}\n");
}

static void put_if(unsigned depth)
{
	line("if (");
	random_expression_condition(2);
	printf(") {\n");
	indent++;
	put_statements(2, depth - 1);
	if (!random_pick(6))
		line("goto out;\n");
	indent--;
	if (random_pick(2)) {
		line("} else {\n");
		indent++;
		put_statements(1, depth - 1);
		indent--;
	}
	line("}\n");
}

static void put_statements(unsigned count, unsigned depth)
{
	for (unsigned i = 0; i < count; i++)
		switch (depth ? random_pick(8) : random_pick(5)) {
		case 5:
			put_if(depth);
			break;
		case 6:
			put_loop(depth);
			break;
		case 7:
			put_switch(depth);
			break;
		case 4:
			put_store();
			break;
		default:
			put_assignment();
		}
}

static void put_variables(void)
{
	line("uint x0 = in[id] ^ (uint)id;\n");
	random_scope.variables[0] = (struct random_variable){ 5, 1 };
	for (random_scope.variable_count = 1; random_scope.variable_count < RANDOM_VARIABLES;
	     random_scope.variable_count++) {
		unsigned t = random_pick_type(), lanes = random_pick_lanes();

		putchar('\t');
		random_expression_type(t, lanes);
		printf(" x%u = ", random_scope.variable_count);
		random_expression_put(t, lanes, 1);
		printf(";\n");
		random_scope.variables[random_scope.variable_count] =
			(struct random_variable){ t, lanes };
	}
}

/* Every variable into `out`, its lanes folded into a word or two; a NaN as 0. */
static void put_results(void)
{
	for (unsigned n = 0; n < random_scope.variable_count; n++) {
		const struct random_variable *v = &random_scope.variables[n];

		for (unsigned k = 0; k < v->lanes; k += v->lanes > 4 ? 3 : 1) {
			char name[32];

			snprintf(name, sizeof(name), v->lanes == 1 ? "x%u" : "x%u.s%x", n, k);
			if (random_types[v->type].is_float)
				line("h = h * 31 + (isnan(%s) ? 0 : (uint)as_u%s(%s));\n", name,
				     random_types[v->type].mask, name);
			else
				line("h = h * 31 + (uint)%s;\n", name);
		}
		line("out[id * %u + %u] = h;\n", (unsigned)ITEM_WORDS, n);
	}
	line("for (int i = 0; i < 8; i++)\n");
	line("\th = h * 31 + (uint)array[i];\n");
	line("h = h * 31 + (uint)s.a + (uint)s.part[0].b + (uint)s.part[1].b;\n");
	line("out[id * %u + %u] = h;\n", (unsigned)ITEM_WORDS, random_scope.variable_count);
}

static void put_kernel(unsigned n)
{
	line("__kernel void k%u(__global uint *out, __global const uint *in, "
	     "__global const float *fin)\n{\n",
	     n);
	indent = 1;
	line("size_t id = get_global_id(0);\n");
	line("uint h = 1;\n");
	line("int array[8] = { 1, -2, 3, -4, 5, -6, 7, -8 };\n");
	line("struct s s = { %u, { { 'a', -1, 2 }, { 'b', 3, 4.5f } } };\n", random_pick(99));
	line("union u u = { 0 };\n");
	random_scope.variable_count = loop_count = 0;
	put_variables();
	put_statements(8, 3);
	printf("out:\n");
	put_results();
	indent = 0;
	printf("}\n\n");
}

int main(int argc, char **argv)
{
	random_scope.state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u + 1 : 1;
	random_scope.type_count = argc > 2 ? 10 : 9;
	printf("struct part { char a; short b; float c; };\n"
	       "struct s { int a; struct part part[2]; };\n"
	       "union u { float f; uint u; ushort h[2]; };\n"
	       "__constant int table[8] = { 3, 1, -4, 1, -5, 9, -2, 6 };\n"
	       "__constant float ftable[64] = { 0.1f, -2.5f, 1e-40f, 3e38f, INFINITY, -0.0f };\n"
	       "struct s mix(struct s s, int n)\n"
	       "{\n"
	       "\ts.a ^= n;\n"
	       "\ts.part[n & 1].b = (short)(n >> 3);\n"
	       "\ts.part[0].a++;\n"
	       "\treturn s;\n"
	       "}\n\n");
	for (unsigned n = 0; n < KERNELS; n++)
		put_kernel(n);
	return 0;
}
