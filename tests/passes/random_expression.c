/* SPDX-License-Identifier: Apache-2.0 */
#include "random_expression.h"

#include <stdio.h>
#include <string.h>

struct random_scope random_scope;

const struct random_type random_types[] = {
	{ "char", "char", 8, false, true },    { "uchar", "char", 8, false, false },
	{ "short", "short", 16, false, true }, { "ushort", "short", 16, false, false },
	{ "int", "int", 32, false, true },     { "uint", "int", 32, false, false },
	{ "long", "long", 64, false, true },   { "ulong", "long", 64, false, false },
	{ "float", "int", 32, true, true },    { "double", "long", 64, true, true },
};

unsigned random_pick(unsigned n)
{
	random_scope.state = random_scope.state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_scope.state >> 33) % n;
}

unsigned random_pick_lanes(void)
{
	static const unsigned lanes[] = { 1, 1, 1, 1, 2, 3, 4, 8, 16 };

	return lanes[random_pick(sizeof(lanes) / sizeof(lanes[0]))];
}

void random_expression_type(unsigned t, unsigned lanes)
{
	printf(lanes == 1 ? "%s" : "%s%u", random_types[t].name, lanes);
}

static void put_literal(unsigned t)
{
	static const char *const floats[] = { "0.0",  "-0.0", "1.5",    "-3.25",
		                              "1e-3", "7.0",  "0x1p-20" };

	if (random_types[t].is_float)
		printf("(%s)%s%s", random_types[t].name, floats[random_pick(7)],
		       random_types[t].bits == 32 ? "f" : "");
	else if (random_pick(4))
		printf("(%s)%u", random_types[t].name, random_pick(20));
	else
		printf("(%s)%s", random_types[t].name,
		       random_types[t].is_signed ? "(-5)" : "0xfffffff0u");
}

/* A variable of the type and lanes, or of more lanes and a part of it. */
static bool put_variable(unsigned t, unsigned lanes)
{
	unsigned from = random_pick(random_scope.variable_count ? random_scope.variable_count : 1);

	for (unsigned i = 0; i < random_scope.variable_count; i++) {
		unsigned n = (from + i) % random_scope.variable_count;
		const struct random_variable *v = &random_scope.variables[n];

		if (v->type != t || v->lanes < lanes)
			continue;
		printf("x%u", n);
		if (v->lanes > lanes || (lanes > 1 && !random_pick(4))) {
			printf(".s");
			for (unsigned k = 0; k < lanes; k++)
				printf("%x", random_pick(v->lanes));
		}
		return true;
	}
	return false;
}

static void put_unsigned_name(unsigned t, unsigned lanes)
{
	printf(lanes == 1 ? "u%s" : "u%s%u", random_types[t].mask, lanes);
}

/* Shifts, bits, the complement. */
static void put_bit_operation(unsigned t, unsigned lanes, unsigned depth, unsigned way)
{
	static const char *const bits[] = { "&", "|", "^" };

	switch (way) {
	case 3:
		putchar('(');
		random_expression_type(t, lanes);
		printf(")(");
		random_expression_put(t, lanes, depth - 1);
		printf(" >> (");
		random_expression_put(t, lanes, depth - 1);
		printf(" & (%s)%u))", random_types[t].name, random_types[t].bits - 1);
		break;
	case 4:
		putchar('(');
		random_expression_type(t, lanes);
		printf(")(");
		random_expression_put(t, lanes, depth - 1);
		printf(" %s ", bits[random_pick(3)]);
		random_expression_put(t, lanes, depth - 1);
		putchar(')');
		break;
	default:
		printf("(");
		random_expression_type(t, lanes);
		printf(")(~");
		random_expression_put(t, lanes, depth - 1);
		printf(")");
	}
}

/* Arithmetic that never overflows: done unsigned, or on few bits. */
static void put_integer_operation(unsigned t, unsigned lanes, unsigned depth)
{
	static const char *const wrapping[] = { "+", "-", "*" };
	unsigned way = random_pick(6);

	switch (way) {
	case 0:
		printf(lanes == 1 ? "(" : "as_");
		random_expression_type(t, lanes);
		printf(lanes == 1 ? ")((" : "(as_");
		put_unsigned_name(t, lanes);
		printf(lanes == 1 ? ")" : "(");
		random_expression_put(t, lanes, depth - 1);
		printf(lanes == 1 ? " %s (" : ") %s as_", wrapping[random_pick(3)]);
		put_unsigned_name(t, lanes);
		printf(lanes == 1 ? ")" : "(");
		random_expression_put(t, lanes, depth - 1);
		printf(lanes == 1 ? ")" : "))");
		break;
	case 1:
		putchar('(');
		random_expression_type(t, lanes);
		printf(")((");
		random_expression_put(t, lanes, depth - 1);
		printf(" & (%s)7) %s (", random_types[t].name, wrapping[random_pick(3)]);
		random_expression_put(t, lanes, depth - 1);
		printf(" & (%s)7))", random_types[t].name);
		break;
	case 2:
		putchar('(');
		random_expression_type(t, lanes);
		printf(")(");
		random_expression_put(t, lanes, depth - 1);
		printf(" %s ((", random_pick(2) ? "/" : "%");
		random_expression_put(t, lanes, depth - 1);
		printf(" & (%s)15) + (%s)1))", random_types[t].name, random_types[t].name);
		break;
	default:
		put_bit_operation(t, lanes, depth, way);
	}
}

static void put_arguments(unsigned t, unsigned lanes, unsigned depth, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		printf(i ? ", " : "(");
		random_expression_put(t, lanes, depth - 1);
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
	unsigned row = random_pick(sizeof(rows) / sizeof(rows[0]));

	printf("%s", rows[row].name);
	put_arguments(t, lanes, depth, rows[row].count);
}

static void put_float_operation(unsigned t, unsigned lanes, unsigned depth)
{
	static const char *const names[] = { "fabs", "floor", "ceil", "trunc", "rint" };
	static const char *const more[] = { "fmin", "fmax", "copysign" };

	switch (random_pick(6)) {
	case 0:
		printf("%s", names[random_pick(5)]);
		put_arguments(t, lanes, depth, 1);
		break;
	case 1:
		printf("%s", more[random_pick(3)]);
		put_arguments(t, lanes, depth, 2);
		break;
	case 2:
		printf("fma");
		put_arguments(t, lanes, depth, 3);
		break;
	case 3:
		putchar('(');
		random_expression_put(t, lanes, depth - 1);
		printf(" * ");
		random_expression_put(t, lanes, depth - 1);
		printf(random_pick(2) ? " + " : " - ");
		random_expression_put(t, lanes, depth - 1);
		putchar(')');
		break;
	case 4:
		printf("(-");
		random_expression_put(t, lanes, depth - 1);
		putchar(')');
		break;
	default:
		putchar('(');
		random_expression_put(t, lanes, depth - 1);
		printf(" %c ", "+-*/"[random_pick(4)]);
		random_expression_put(t, lanes, depth - 1);
		putchar(')');
	}
}

unsigned random_pick_type(void)
{
	return random_pick(random_scope.type_count);
}

/* From another type; what is floating point becomes an integer saturated. */
static void put_conversion(unsigned t, unsigned lanes, unsigned depth)
{
	unsigned from = random_pick_type();

	if (random_types[from].bits == random_types[t].bits &&
	    random_types[from].is_float != random_types[t].is_float && !random_types[t].is_float) {
		/* A NaN's bits are not the same everywhere. */
		from = t;
	}
	if (lanes == 1 && !random_types[from].is_float) {
		printf("((%s)", random_types[t].name);
		random_expression_put(from, lanes, depth - 1);
		putchar(')');
		return;
	}
	printf("convert_");
	random_expression_type(t, lanes);
	printf("%s(", random_types[from].is_float && !random_types[t].is_float ? "_sat" : "");
	random_expression_put(from, lanes, depth - 1);
	putchar(')');
}

static void put_comparison(unsigned t, unsigned lanes, unsigned depth)
{
	static const char *const words[] = { "<", "<=", ">", ">=", "==", "!=" };

	putchar('(');
	random_expression_put(t, lanes, depth);
	printf(" %s ", words[random_pick(6)]);
	random_expression_put(t, lanes, depth);
	putchar(')');
}

void random_expression_condition(unsigned depth)
{
	if (depth && !random_pick(3)) {
		putchar('(');
		random_expression_condition(depth - 1);
		printf(random_pick(2) ? " && " : " || ");
		random_expression_condition(depth - 1);
		putchar(')');
	} else if (!random_pick(6)) {
		printf("!isless((float)x0, %u.5f)", random_pick(9));
	} else {
		printf(random_pick(4) ? "" : "!");
		put_comparison(random_pick_type(), 1, depth ? depth - 1 : 0);
	}
}

static void put_choice(unsigned t, unsigned lanes, unsigned depth)
{
	if (lanes == 1 || random_pick(2)) {
		printf("((");
		random_expression_type(t, lanes);
		printf(")(");
		random_expression_condition(1);
		printf(" ? ");
		random_expression_put(t, lanes, depth - 1);
		printf(" : ");
		random_expression_put(t, lanes, depth - 1);
		printf("))");
		return;
	}
	printf("select(");
	random_expression_put(t, lanes, depth - 1);
	printf(", ");
	random_expression_put(t, lanes, depth - 1);
	printf(", ");
	put_comparison(t, lanes, depth - 1);
	putchar(')');
}

static void put_lanes(unsigned t, unsigned lanes, unsigned depth)
{
	putchar('(');
	random_expression_type(t, lanes);
	putchar(')');
	put_arguments(t, 1, depth, lanes > 4 ? 1 : lanes);
}

/* What is in memory: a buffer, a private array, a member of a struct. */
static void put_memory(unsigned t, unsigned lanes)
{
	if (lanes == 1 && !strcmp(random_types[t].name, "int") && random_pick(2)) {
		printf(random_pick(2) ? "table[x0 & 7]" : "array[(x0 + %uu) & 7]", random_pick(9));
	} else if (lanes == 1 && !strcmp(random_types[t].name, "short") && random_pick(2)) {
		printf("s.part[x0 & 1].b");
	} else if (lanes == 1 && random_types[t].is_float) {
		printf("(%s)%s[id & 63]", random_types[t].name, random_pick(2) ? "ftable" : "fin");
	} else if (lanes == 1) {
		printf("((%s)in[(x0 + %uu) & 255])", random_types[t].name, random_pick(99));
	} else if (random_types[t].is_float) {
		printf("(");
		random_expression_type(t, lanes);
		printf(")(fin[id])");
	} else {
		printf("vload%u(x0 & 15, (__global const %s *)in)", lanes, random_types[t].name);
	}
}

void random_expression_put(unsigned t, unsigned lanes, unsigned depth)
{
	bool is_float = random_types[t].is_float;
	unsigned way = depth ? random_pick(9) : 8;

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
	else if (random_pick(5) && put_variable(t, lanes))
		return;
	else if (lanes == 1)
		put_literal(t);
	else
		put_lanes(t, lanes, 1);
}
