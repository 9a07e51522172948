/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_addresses SEED - a file of the corpus (kernel_lines.h) of kernels whose addresses are
 * random expressions of few values, so that many differ by little, in all the types that an index
 * can have, in branches and loops.
 *
 * Work-items write constants, and change what they have read only into such, so that the results
 * do not depend on the order. Every index is CENTRE and less than CENTRE in size around it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNELS 6
#define CENTRE  20000
#define COUNT   (2 * CENTRE)

static uint64_t state;

static unsigned below(unsigned limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((state >> 33) % limit);
}

/* A value of at most 64 in size; `depth` loops have their variable. */
static void print_value(unsigned depth)
{
	static const char *const values[] = { "g",
		                              "l",
		                              "(int)get_group_id(0)",
		                              "n",
		                              "m",
		                              "q",
		                              "u",
		                              "((uchar)(u - 7) / 8)",
		                              "k",
		                              "s",
		                              "n",
		                              "g",
		                              "((int)get_global_size(0) / 2)",
		                              "v",
		                              "(g / 2)",
		                              "(m * 2)",
		                              "(int)get_local_size(0)",
		                              "(l & 3)",
		                              "((q & 31) << 1)" };
	unsigned loop = below(4);

	if (depth && loop < depth)
		printf("i%u", loop);
	else
		fputs(values[below(sizeof(values) / sizeof(values[0]))], stdout);
}

/* A sum of up to four products of two: below 4 * 64 * 64 = 16384 in size. */
static void print_index(unsigned depth)
{
	static const char *const types[] = { "int", "int", "long", "uint", "ulong", "size_t" };
	const char *type = types[below(sizeof(types) / sizeof(types[0]))];
	unsigned terms = 1 + below(4);

	printf("(%s)%d", type, CENTRE);
	for (unsigned i = 0; i < terms; i++) {
		printf(" %c (%s)", "+-"[below(2)], type);
		print_value(depth);
		if (below(2)) {
			printf(" * (%s)", type);
			print_value(depth);
		}
	}
	if (below(2))
		printf(" %c %u", "+-"[below(2)], below(5));
}

/* At element `at`. */
static void print_access(void)
{
	static const char *const forms[] = { "\ta[at] = 1;",           "\ta[at] = (a[at] & 0) | 1;",
		                             "\tx += b[at];",          "\tatomic_or(a + at, 1);",
		                             "\tc[at] = (short4)(1);", "\tx += vload3(at, d);" };

	puts(forms[below(sizeof(forms) / sizeof(forms[0]))]);
}

static void print_statements(unsigned depth, unsigned count);

static void print_statement(unsigned depth)
{
	unsigned kind = below(10);

	if (kind == 0 && depth < 2) {
		printf("\tfor (int i%u = 0; i%u < %s; i%u++) {\n", depth, depth,
		       below(2) ? "3" : "(n & 3)", depth);
		print_statements(depth + 1, 3);
		puts("\t}");
	} else if (kind == 1) {
		printf("\tif ((");
		print_value(depth);
		puts(") & 1) {");
		print_statements(depth, 2);
		puts("\t}");
	} else if (kind == 2) {
		printf("\tv = b[%d + (", CENTRE);
		print_value(depth);
		puts(")] & 63;");
	} else {
		printf("\t{\n\tsize_t at = ");
		print_index(depth);
		puts(";");
		print_access();
		puts("\t}");
	}
}

static void print_statements(unsigned depth, unsigned count)
{
	while (count--)
		print_statement(depth);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: random_addresses SEED\n");
		return 2;
	}
	state = strtoull(argv[1], NULL, 10) + 1;
	for (unsigned i = 0; i < KERNELS; i++)
		printf("// run: k%u 48 %u : int[%d]=zero int[%d]=random(0,64) short[%d]=zero "
		       "int[%d]=iota int[48]=zero int=%u char=%u ulong=%u uint=%u\n",
		       i, 4 << below(3), COUNT, COUNT, 4 * COUNT, 3 * COUNT, below(64), below(30),
		       below(64), 8 + below(56));
	for (unsigned i = 0; i < KERNELS; i++) {
		printf("__kernel void k%u(__global int *a, __global const int *b, __global short4 "
		       "*c,\n"
		       "\t__global const int *d, __global int *out, int n, char m, ulong q, uint "
		       "u)\n"
		       "{\n"
		       "\tint g = get_global_id(0), v = b[g] & 63;\n"
		       "\tint3 x = 0;\n"
		       "\tshort l = get_local_id(0);\n"
		       "\tuint k = u - 8;\n"
		       "\tlong s = (long)n - 64;\n",
		       i);
		print_statements(0, 8 + below(6));
		if (below(2))
			puts("\tbarrier(CLK_GLOBAL_MEM_FENCE);");
		print_statements(0, 3);
		puts("\tout[g] = x.x + x.y + x.z;\n}");
	}
	return 0;
}
