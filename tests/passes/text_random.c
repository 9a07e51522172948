/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_random SEED [DOUBLE]: a pseudo-random OpenCL C program on stdout, the same for the same
 * seed.
 *
 * Its kernels read and write only inside 32 KiB buffers, end, and have no undefined behaviour:
 * signed arithmetic is done unsigned or on few bits, divisors are small and positive, what becomes
 * an integer is in range. What they leave does not tell NaNs apart. DOUBLE: with double.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 6, VARIABLES = 14, ITEM_WORDS = 32 };

struct type {
	const char *name; /* of an element */
	const char *mask; /* signed integer of that width */
	unsigned bits;
	bool is_float, is_signed;
};

static const struct type types[] = {
	{ "char", "char", 8, false, true },    { "uchar", "char", 8, false, false },
	{ "short", "short", 16, false, true }, { "ushort", "short", 16, false, false },
	{ "int", "int", 32, false, true },     { "uint", "int", 32, false, false },
	{ "long", "long", 64, false, true },   { "ulong", "long", 64, false, false },
	{ "float", "int", 32, true, true },    { "double", "long", 64, true, true },
};

struct variable {
	unsigned type, lanes;
};

static uint64_t state;
static unsigned type_count;
static struct variable variables[VARIABLES];
static unsigned variable_count, loop_count, indent;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

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

static unsigned pick_lanes(void)
{
	static const unsigned lanes[] = { 1, 1, 1, 1, 2, 3, 4, 8, 16 };

	return lanes[pick(sizeof(lanes) / sizeof(lanes[0]))];
}

static void put_type(unsigned t, unsigned lanes)
{
	printf(lanes == 1 ? "%s" : "%s%u", types[t].name, lanes);
}

static void put_expression(unsigned t, unsigned lanes, unsigned depth);

static void put_literal(unsigned t)
{
	static const char *const floats[] = { "0.0",  "-0.0", "1.5",    "-3.25",
		                              "1e-3", "7.0",  "0x1p-20" };

	if (types[t].is_float)
		printf("(%s)%s%s", types[t].name, floats[pick(7)], types[t].bits == 32 ? "f" : "");
	else if (pick(4))
		printf("(%s)%u", types[t].name, pick(20));
	else
		printf("(%s)%s", types[t].name, types[t].is_signed ? "(-5)" : "0xfffffff0u");
}

/* A variable of the type and lanes, or of more lanes and a part of it. */
static bool put_variable(unsigned t, unsigned lanes)
{
	unsigned from = pick(variable_count ? variable_count : 1);

	for (unsigned i = 0; i < variable_count; i++) {
		unsigned n = (from + i) % variable_count;
		const struct variable *v = &variables[n];

		if (v->type != t || v->lanes < lanes)
			continue;
		printf("x%u", n);
		if (v->lanes > lanes || (lanes > 1 && !pick(4))) {
			printf(".s");
			for (unsigned k = 0; k < lanes; k++)
				printf("%x", pick(v->lanes));
		}
		return true;
	}
	return false;
}

static void put_unsigned_name(unsigned t, unsigned lanes)
{
	printf(lanes == 1 ? "u%s" : "u%s%u", types[t].mask, lanes);
}

/* Shifts, bits, the complement. */
static void put_bit_operation(unsigned t, unsigned lanes, unsigned depth, unsigned way)
{
	static const char *const bits[] = { "&", "|", "^" };

	switch (way) {
	case 3:
		putchar('(');
		put_type(t, lanes);
		printf(")(");
		put_expression(t, lanes, depth - 1);
		printf(" >> (");
		put_expression(t, lanes, depth - 1);
		printf(" & (%s)%u))", types[t].name, types[t].bits - 1);
		break;
	case 4:
		putchar('(');
		put_type(t, lanes);
		printf(")(");
		put_expression(t, lanes, depth - 1);
		printf(" %s ", bits[pick(3)]);
		put_expression(t, lanes, depth - 1);
		putchar(')');
		break;
	default:
		printf("(");
		put_type(t, lanes);
		printf(")(~");
		put_expression(t, lanes, depth - 1);
		printf(")");
	}
}

/* Arithmetic that never overflows: done unsigned, or on few bits. */
static void put_integer_operation(unsigned t, unsigned lanes, unsigned depth)
{
	static const char *const wrapping[] = { "+", "-", "*" };
	unsigned way = pick(6);

	switch (way) {
	case 0:
		printf(lanes == 1 ? "(" : "as_");
		put_type(t, lanes);
		printf(lanes == 1 ? ")((" : "(as_");
		put_unsigned_name(t, lanes);
		printf(lanes == 1 ? ")" : "(");
		put_expression(t, lanes, depth - 1);
		printf(lanes == 1 ? " %s (" : ") %s as_", wrapping[pick(3)]);
		put_unsigned_name(t, lanes);
		printf(lanes == 1 ? ")" : "(");
		put_expression(t, lanes, depth - 1);
		printf(lanes == 1 ? ")" : "))");
		break;
	case 1:
		putchar('(');
		put_type(t, lanes);
		printf(")((");
		put_expression(t, lanes, depth - 1);
		printf(" & (%s)7) %s (", types[t].name, wrapping[pick(3)]);
		put_expression(t, lanes, depth - 1);
		printf(" & (%s)7))", types[t].name);
		break;
	case 2:
		putchar('(');
		put_type(t, lanes);
		printf(")(");
		put_expression(t, lanes, depth - 1);
		printf(" %s ((", pick(2) ? "/" : "%");
		put_expression(t, lanes, depth - 1);
		printf(" & (%s)15) + (%s)1))", types[t].name, types[t].name);
		break;
	default:
		put_bit_operation(t, lanes, depth, way);
	}
}

static void put_arguments(unsigned t, unsigned lanes, unsigned depth, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		printf(i ? ", " : "(");
		put_expression(t, lanes, depth - 1);
	}
	putchar(')');
}

static void put_integer_builtin(unsigned t, unsigned lanes, unsigned depth)
{
	static const struct {
		const char *name;
		unsigned count;
	} rows[] = { { "max", 2 },  { "min", 2 },      { "add_sat", 2 }, { "sub_sat", 2 },
		     { "hadd", 2 }, { "rhadd", 2 },    { "mul_hi", 2 },  { "rotate", 2 },
		     { "clz", 1 },  { "popcount", 1 }, { "mad_sat", 3 }, { "bitselect", 3 } };
	unsigned row = pick(sizeof(rows) / sizeof(rows[0]));

	printf("%s", rows[row].name);
	put_arguments(t, lanes, depth, rows[row].count);
}

static void put_float_operation(unsigned t, unsigned lanes, unsigned depth)
{
	static const char *const names[] = { "fabs", "floor", "ceil", "trunc", "rint" };
	static const char *const more[] = { "fmin", "fmax", "copysign" };

	switch (pick(6)) {
	case 0:
		printf("%s", names[pick(5)]);
		put_arguments(t, lanes, depth, 1);
		break;
	case 1:
		printf("%s", more[pick(3)]);
		put_arguments(t, lanes, depth, 2);
		break;
	case 2:
		printf("fma");
		put_arguments(t, lanes, depth, 3);
		break;
	case 3:
		putchar('(');
		put_expression(t, lanes, depth - 1);
		printf(" * ");
		put_expression(t, lanes, depth - 1);
		printf(pick(2) ? " + " : " - ");
		put_expression(t, lanes, depth - 1);
		putchar(')');
		break;
	case 4:
		printf("(-");
		put_expression(t, lanes, depth - 1);
		putchar(')');
		break;
	default:
		putchar('(');
		put_expression(t, lanes, depth - 1);
		printf(" %c ", "+-*/"[pick(4)]);
		put_expression(t, lanes, depth - 1);
		putchar(')');
	}
}

static unsigned pick_type(void)
{
	return pick(type_count);
}

/* From another type; what is floating point becomes an integer saturated. */
static void put_conversion(unsigned t, unsigned lanes, unsigned depth)
{
	unsigned from = pick_type();

	if (types[from].bits == types[t].bits && types[from].is_float != types[t].is_float &&
	    !types[t].is_float) {
		/* A NaN's bits are not the same everywhere. */
		from = t;
	}
	if (lanes == 1 && !types[from].is_float) {
		printf("((%s)", types[t].name);
		put_expression(from, lanes, depth - 1);
		putchar(')');
		return;
	}
	printf("convert_");
	put_type(t, lanes);
	printf("%s(", types[from].is_float && !types[t].is_float ? "_sat" : "");
	put_expression(from, lanes, depth - 1);
	putchar(')');
}

static void put_comparison(unsigned t, unsigned lanes, unsigned depth)
{
	static const char *const words[] = { "<", "<=", ">", ">=", "==", "!=" };

	putchar('(');
	put_expression(t, lanes, depth);
	printf(" %s ", words[pick(6)]);
	put_expression(t, lanes, depth);
	putchar(')');
}

static void put_condition(unsigned depth)
{
	if (depth && !pick(3)) {
		putchar('(');
		put_condition(depth - 1);
		printf(pick(2) ? " && " : " || ");
		put_condition(depth - 1);
		putchar(')');
	} else if (!pick(6)) {
		printf("!isless((float)x0, %u.5f)", pick(9));
	} else {
		printf(pick(4) ? "" : "!");
		put_comparison(pick_type(), 1, depth ? depth - 1 : 0);
	}
}

static void put_choice(unsigned t, unsigned lanes, unsigned depth)
{
	if (lanes == 1 || pick(2)) {
		printf("((");
		put_type(t, lanes);
		printf(")(");
		put_condition(1);
		printf(" ? ");
		put_expression(t, lanes, depth - 1);
		printf(" : ");
		put_expression(t, lanes, depth - 1);
		printf("))");
		return;
	}
	printf("select(");
	put_expression(t, lanes, depth - 1);
	printf(", ");
	put_expression(t, lanes, depth - 1);
	printf(", ");
	put_comparison(t, lanes, depth - 1);
	putchar(')');
}

static void put_lanes(unsigned t, unsigned lanes, unsigned depth)
{
	putchar('(');
	put_type(t, lanes);
	putchar(')');
	put_arguments(t, 1, depth, lanes > 4 ? 1 : lanes);
}

/* What is in memory: a buffer, a private array, a member of a struct. */
static void put_memory(unsigned t, unsigned lanes)
{
	if (lanes == 1 && !strcmp(types[t].name, "int") && pick(2)) {
		printf(pick(2) ? "table[x0 & 7]" : "array[(x0 + %uu) & 7]", pick(9));
	} else if (lanes == 1 && !strcmp(types[t].name, "short") && pick(2)) {
		printf("s.part[x0 & 1].b");
	} else if (lanes == 1 && types[t].is_float) {
		printf("(%s)%s[id & 63]", types[t].name, pick(2) ? "ftable" : "fin");
	} else if (lanes == 1) {
		printf("((%s)in[(x0 + %uu) & 255])", types[t].name, pick(99));
	} else if (types[t].is_float) {
		printf("(");
		put_type(t, lanes);
		printf(")(fin[id])");
	} else {
		printf("vload%u(x0 & 15, (__global const %s *)in)", lanes, types[t].name);
	}
}

static void put_expression(unsigned t, unsigned lanes, unsigned depth)
{
	bool is_float = types[t].is_float;
	unsigned way = depth ? pick(9) : 8;

	if (way == 0)
		put_conversion(t, lanes, depth);
	else if (way == 1)
		put_choice(t, lanes, depth);
	else if (way == 2 && lanes > 1)
		put_lanes(t, lanes, depth);
	else if (way <= 4 && is_float)
		put_float_operation(t, lanes, depth);
	else if (way <= 4)
		put_integer_operation(t, lanes, depth);
	else if (way == 5 && !is_float)
		put_integer_builtin(t, lanes, depth);
	else if (way == 6)
		put_memory(t, lanes);
	else if (pick(5) && put_variable(t, lanes))
		return;
	else if (lanes == 1)
		put_literal(t);
	else
		put_lanes(t, lanes, 1);
}

static void put_statements(unsigned count, unsigned depth);

static void put_assignment(void)
{
	unsigned n = pick(variable_count);
	const struct variable *v = &variables[n];

	if (v->lanes > 1 && !pick(3)) {
		line("x%u.s%x = ", n, pick(v->lanes));
		put_expression(v->type, 1, 3);
	} else {
		line("x%u = ", n);
		put_expression(v->type, v->lanes, 3);
	}
	printf(";\n");
}

static void put_store(void)
{
	switch (pick(5)) {
	case 0:
		line("array[x0 & 7] = ");
		put_expression(4, 1, 2);
		break;
	case 1:
		line("s.part[%u].b = ", pick(2));
		put_expression(2, 1, 2);
		break;
	case 2:
		line("s.part[x0 & 1] = s.part[%u]", pick(2));
		break;
	case 3:
		line("s = mix(s, ");
		put_expression(4, 1, 2);
		printf(")");
		break;
	default:
		line("u.f = ");
		put_expression(8, 1, 1);
		printf("; u.u &= 0x3fffffffu; x0 += u.h[%u]", pick(2));
	}
	printf(";\n");
}

static void put_loop(unsigned depth)
{
	unsigned n = loop_count++;
	bool is_do = !pick(3);

	line("uint i%u = 0;\n", n);
	if (is_do) {
		line("do {\n");
	} else {
		line("for (; i%u < %u + (x0 & 3); i%u++) {\n", n, pick(4), n);
	}
	indent++;
	if (is_do)
		line("i%u++;\n", n);
	put_statements(2, depth - 1);
	if (pick(2)) {
		line("if (");
		put_condition(1);
		printf(")\n");
		line("\t%s;\n", pick(2) ? "break" : "continue");
		put_statements(1, depth - 1);
	}
	indent--;
	if (is_do)
		line("} while (i%u < %u);\n", n, pick(4) + 1);
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
		if (pick(3))
			line("break;\n");
		indent--;
		line("}\n");
	}
	if (pick(2)) {
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
	put_condition(2);
	printf(") {\n");
	indent++;
	put_statements(2, depth - 1);
	if (!pick(6))
		line("goto out;\n");
	indent--;
	if (pick(2)) {
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
		switch (depth ? pick(8) : pick(5)) {
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
	variables[0] = (struct variable){ 5, 1 };
	for (variable_count = 1; variable_count < VARIABLES; variable_count++) {
		unsigned t = pick_type(), lanes = pick_lanes();

		putchar('\t');
		put_type(t, lanes);
		printf(" x%u = ", variable_count);
		put_expression(t, lanes, 1);
		printf(";\n");
		variables[variable_count] = (struct variable){ t, lanes };
	}
}

/* Every variable into `out`, its lanes folded into a word or two; a NaN as 0. */
static void put_results(void)
{
	for (unsigned n = 0; n < variable_count; n++) {
		const struct variable *v = &variables[n];

		for (unsigned k = 0; k<v->lanes; k += v->lanes> 4 ? 3 : 1) {
			char name[32];

			snprintf(name, sizeof(name), v->lanes == 1 ? "x%u" : "x%u.s%x", n, k);
			if (types[v->type].is_float)
				line("h = h * 31 + (isnan(%s) ? 0 : (uint)as_u%s(%s));\n", name,
				     types[v->type].mask, name);
			else
				line("h = h * 31 + (uint)%s;\n", name);
		}
		line("out[id * %u + %u] = h;\n", (unsigned)ITEM_WORDS, n);
	}
	line("for (int i = 0; i < 8; i++)\n");
	line("\th = h * 31 + (uint)array[i];\n");
	line("h = h * 31 + (uint)s.a + (uint)s.part[0].b + (uint)s.part[1].b;\n");
	line("out[id * %u + %u] = h;\n", (unsigned)ITEM_WORDS, variable_count);
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
	line("struct s s = { %u, { { 'a', -1, 2 }, { 'b', 3, 4.5f } } };\n", pick(99));
	line("union u u = { 0 };\n");
	variable_count = loop_count = 0;
	put_variables();
	put_statements(8, 3);
	printf("out:\n");
	put_results();
	indent = 0;
	printf("}\n\n");
}

int main(int argc, char **argv)
{
	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u + 1 : 1;
	type_count = argc > 2 ? 10 : 9;
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
