/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* launch_bounds.cu: the launch between, of 128, was not made. */
static void small(struct cuda_expect *e, const struct cuda_item *w)
{
	writes(e, 1, "out", w->id[0], 4);
}

static const struct cuda_launch launch_bounds[] = {
	{ "small", { 2, 1, 1 }, { 64, 1, 1 }, small, 0, 0, 0 },
	{ "small", { 1, 1, 1 }, { 32, 1, 1 }, small, 0, 0, 0 },
	{ 0 }
};

/* device_functions.cu: four rows of 16. */
static void methods(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(y, 0, y < 4, 1)
	{
		reads(e, 5, "view", 16 * y + w->id[0], 4);
		writes(e, 5, "view", 16 * y + w->id[0], 4);
	}
}

static void functions(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t i = w->id[0];

	reads(e, 1, "words", i, 4);
	reads(e, 2, "words", 63 - i, 4);
	writes(e, 2, "words", i, 4);
	writes(e, 3, "words", 63 - i, 4);
	writes(e, 4, "words", 64 + i, 4);
}

static const struct cuda_launch device_functions[] = {
	{ "methods", { 1, 1, 1 }, { 16, 1, 1 }, methods, 0, 0, 0 },
	{ "functions", { 1, 1, 1 }, { 32, 1, 1 }, functions, 0, 0, 0 },
	{ 0 }
};

/* lambdas.cu */
static void first_lambda(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 96)
		return;
	reads(e, 1, "in", 95 - w->id[0], 4);
	writes(e, 1, "out", w->id[0], 4);
}

static void second_lambda(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 20)
		return;
	reads(e, 2, "out", w->id[0], 4);
	writes(e, 2, "out", w->id[0], 4);
}

static const struct cuda_launch lambdas[] = {
	{ "for_each", { 2, 1, 1 }, { 64, 1, 1 }, first_lambda, 0, 0, 0 },
	{ "for_each", { 1, 1, 1 }, { 32, 1, 1 }, second_lambda, 0, 0, 0 },
	{ 0 }
};

/* printing.cu: item 2 speaks; then one that only prints; then one that could. */
static void speak(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] != 2)
		return;
	reads(e, 1, "in", 2, 4);
	reads(e, 2, "in", 2, 4);
}

static void letters(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)e;
	(void)w;
}

static void silent(struct cuda_expect *e, const struct cuda_item *w)
{
	writes(e, 3, "in", w->id[0], 4);
	reads(e, 4, "in", w->id[0], 4);
}

static const struct cuda_launch printing[] = {
	{ "speak", { 1, 1, 1 }, { 4, 1, 1 }, speak, 0, 0, 0 },
	{ "letters", { 1, 1, 1 }, { 1, 1, 1 }, letters, 0, 0, 0 },
	{ "silent", { 1, 1, 1 }, { 4, 1, 1 }, silent, 0, 0, 0 },
	{ 0 }
};

/* assertions.cu: the second time the last one, 8, is over 7, and ends there. */
static void checked(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	if (w->launch == 0 || w->id[0] < 7)
		writes(e, 2, "out", w->id[0], 4);
}

static const struct cuda_launch assertions[] = {
	{ "checked", { 1, 1, 1 }, { 8, 1, 1 }, checked, 0, 0, 0 },
	{ "checked", { 1, 1, 1 }, { 8, 1, 1 }, checked, 0, 0, 0 },
	{ 0 }
};

/* private_arrays.cu */
static void sort(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, 0, k < 8, 1)
	reads(e, 1, "in", 8 * w->id[0] + k, 4);
	EACH(k, 0, k < 8, 1)
	writes(e, 2, "out", 8 * w->id[0] + k, 4);
}

static const struct cuda_launch private_arrays[] = {
	{ "sort", { 1, 1, 1 }, { 64, 1, 1 }, sort, 0, 0, 0 }, { 0 }
};

/* two_units.cu and two_units_more.cu: one kernel's name, two kernels. */
static void first_step(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "a", w->id[0], 4);
	reads(e, 1, "shift", 0, 4);
	writes(e, 1, "b", w->id[0], 4);
}

static void second_step(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, 0, k < 3, 1)
	{
		reads(e, 11, k ? "a" : "b", w->id[0], 4);
		reads(e, 11, "shift_more", 0, 4);
		writes(e, 11, "a", w->id[0], 4);
	}
}

static const struct cuda_launch two_units[] = {
	{ "step", { 1, 1, 1 }, { 64, 1, 1 }, first_step, 0, 0, 0 },
	{ "step", { 1, 1, 1 }, { 64, 1, 1 }, second_step, 0, 0, 0 },
	{ "step", { 1, 1, 1 }, { 64, 1, 1 }, first_step, 0, 0, 0 },
	{ 0 }
};

const struct cuda_program cuda_expect_functions[] = { { "launch_bounds", launch_bounds },
	                                              { "device_functions", device_functions },
	                                              { "lambdas", lambdas },
	                                              { "printing", printing },
	                                              { "assertions", assertions },
	                                              { "private_arrays", private_arrays },
	                                              { "two_units", two_units },
	                                              { 0 } };
