/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables v0, v1, ... are those of the loops around, outermost first. Their values stay below
 * some dozens, so that every index lies in the buffer.
 */
#include "random_nest.h"

#define DEPTH_MOST 3

struct nest {
	FILE *out;
	uint64_t state;
	int depth; /* loops around */
	int left;  /* statements that the kernel may still get */
};

static int below(struct nest *n, int limit)
{
	n->state = n->state * 6364136223846793005u + 1442695040888963407u;
	return (int)((n->state >> 33) % (uint64_t)limit);
}

/* A sum of multiples of the variables. */
static void write_sum(struct nest *n)
{
	fprintf(n->out, "%d + ID * %d", below(n, 100) - 50, below(n, 5) - 2);
	for (int d = 0; d < n->depth; d++)
		switch (below(n, 4)) {
		case 0:
			break;
		case 1:
			fprintf(n->out, " - (int)v%d", d);
			break;
		case 2:
			fprintf(n->out, " + (int)v%d * %d", d, below(n, 9) - 4);
			break;
		default:
			fprintf(n->out, " + ((int)v%d << %d) * m", d, below(n, 3));
		}
}

static void write_access(struct nest *n)
{
	static const char *const forms[] = { "a[", "a[(long)(", "a[(uint)(5000 + ", "a[(" };
	static const char *const ends[] = { "]", ")]", ")]", ") * 3]" };
	int form = below(n, 4), kind = below(n, 3);

	if (kind == 0)
		fputs("sum += ", n->out);
	fputs(forms[form], n->out);
	write_sum(n);
	fputs(ends[form], n->out);
	fputs(kind == 0 ? ";\n" : " = 1;\n", n->out);
}

static void write_condition(struct nest *n)
{
	static const char *const invariant[] = { "n > 3", "m == 2", "ID & 1", "ID > 5 && n < 9",
		                                 "ID % 3" };

	if (below(n, 2) || n->depth == 0)
		fputs(invariant[below(n, 5)], n->out);
	else if (below(n, 2))
		fprintf(n->out, "(int)v%d > %d", n->depth - 1, below(n, 4));
	else
		fprintf(n->out, "b[((int)v%d * %d + ID) & 63] > %d", below(n, n->depth),
		        1 + below(n, 3), 2 + below(n, 5));
}

static void write_length(struct nest *n)
{
	static const char *const lengths[] = { "n", "m", "ID % 4", "b[ID]" };

	switch (below(n, n->depth ? 4 : 3)) {
	case 0:
		fprintf(n->out, "%d", below(n, 6));
		break;
	case 1:
		fputs(lengths[below(n, 4)], n->out);
		break;
	case 2:
		fputs("m + 1", n->out);
		break;
	default:
		fprintf(n->out, "((int)v%d & 3)", below(n, n->depth));
	}
}

/* Up to the brace that opens the body. */
static void write_head(struct nest *n)
{
	int v = n->depth, from = below(n, 7) - 3, by = 1 + below(n, 3);

	switch (below(n, 6)) {
	case 0:
	case 1:
		fprintf(n->out, "for (int v%d = %d; v%d < %d + ", v, from, v, from);
		write_length(n);
		fprintf(n->out, "; v%d += %d) {\n", v, by);
		break;
	case 2:
		fprintf(n->out, "for (int v%d = ", v);
		write_length(n);
		fprintf(n->out, "; v%d > %d; v%d -= %d) {\n", v, -by, v, by);
		break;
	case 3:
		fprintf(n->out, "for (uint v%d = -%uu; v%d != ", v, 1 + (unsigned)by, v);
		write_length(n);
		fprintf(n->out, "; v%d++) {\n", v);
		break;
	case 4:
		fprintf(n->out, "for (long v%d = %d; v%d < ", v, from, v);
		write_length(n);
		fprintf(n->out, "; v%d += by) {\n", v);
		break;
	default:
		fprintf(n->out, "for (int v%d = 0, e%d = ", v, v);
		write_length(n);
		fprintf(n->out, "; v%d < e%d; v%d++, p += %d) {\np[ID] = 1;\n", v, v, v, by);
	}
}

static void write_statements(struct nest *n, int count);

static void write_loop(struct nest *n)
{
	write_head(n);
	n->depth++;
	write_statements(n, 1 + below(n, 4));
	n->depth--;
	fputs("}\n", n->out);
}

static void write_branch(struct nest *n)
{
	static const char *const jumps[] = { "break", "continue", "break", "return" };

	fputs("if (", n->out);
	write_condition(n);
	if (n->depth && below(n, 2)) {
		fprintf(n->out, ") %s;\n", jumps[below(n, 4)]);
		return;
	}
	fputs(") {\n", n->out);
	write_statements(n, 1 + below(n, 2));
	if (below(n, 2)) {
		fputs("} else {\n", n->out);
		write_statements(n, 1);
	}
	fputs("}\n", n->out);
}

static void write_statements(struct nest *n, int count)
{
	for (; count > 0 && n->left > 0; count--) {
		int kind = below(n, 8);

		n->left--;
		if (kind < 3 && n->depth < DEPTH_MOST)
			write_loop(n);
		else if (kind == 3)
			write_branch(n);
		else
			write_access(n);
	}
}

void random_nest_write(FILE *out, uint32_t seed)
{
	struct nest n = { .out = out, .state = seed };

	fputs("#define ID ((int)get_global_id(0))\n", out);
	for (int k = 0; k < RANDOM_NEST_KERNELS; k++) {
		n.left = 24;
		fprintf(out,
		        "__kernel void nest%d(__global int *a, __global const int *b, int n, int "
		        "m)\n"
		        "{\nint sum = 0, by = 1 + (m & ID & 1);\n__global int *p = a + 7;\n",
		        k);
		for (int d = 0; d < DEPTH_MOST; d++) {
			write_loop(&n);
			write_statements(&n, 1);
		}
		/* At least one loop with an access, whatever came before. */
		fputs("for (int i = 0; i < n; i++) a[i] = 1;\n}\n", out);
	}
}
