/*
 * random_expression - pseudo-random expressions of OpenCL C, on stdout.
 *
 * They have no undefined behaviour: signed arithmetic is done unsigned or on few bits, divisors are
 * small and positive, what becomes an integer is in range. Not thread-safe: one scope in the
 * program.
 */
#ifndef RANDOM_EXPRESSION_H
#define RANDOM_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_VARIABLES = 14 };

struct random_type {
	const char *name; /* of an element */
	const char *mask; /* signed integer of that width */
	unsigned bits;
	bool is_float, is_signed;
};

/* Those of 64-bit floating point come last. */
extern const struct random_type random_types[10];

/* What expressions are made of: the first types, and the variables x0, x1... of the kernel. */
struct random_scope {
	uint64_t state; /* of the generator */
	unsigned type_count;
	struct random_variable {
		unsigned type, lanes;
	} variables[RANDOM_VARIABLES];
	unsigned variable_count;
};

extern struct random_scope random_scope;

/* A number below n, a type, a number of lanes. */
unsigned random_pick(unsigned n);
unsigned random_pick_type(void);
unsigned random_pick_lanes(void);

/* Write the name of the type; an expression of it; a condition. depth: of the tree, at most. */
void random_expression_type(unsigned t, unsigned lanes);
void random_expression_put(unsigned t, unsigned lanes, unsigned depth);
void random_expression_condition(unsigned depth);

#endif
