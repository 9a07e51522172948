/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void summed(struct expect *e, const struct work_item *w)
{
	int64_t n = number(e, 2);

	EACH(k, 0, k < n, 1)
		reads(e, 0, w->id[0] * n + k, 4);
	writes(e, 1, w->id[0], 4);
}

static void zero_trips(struct expect *e, const struct work_item *w)
{
	writes(e, 1, w->id[0], 4);
}

static void some_trips(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	EACH(k, 0, k < value(e, 0, w->id[0]), 1)
		reads(e, 1, 6 * w->id[0] + k, 4);
	writes(e, 2, w->id[0], 4);
}

static void downward(struct expect *e, const struct work_item *w)
{
	int64_t n = number(e, 2);

	EACH(k, n - 1, k >= 0, -1)
		reads(e, 0, w->id[0] * n + k, 4);
	writes(e, 1, w->id[0], 4);
}

static void strided(struct expect *e, const struct work_item *w)
{
	EACH(k, w->id[0], k < 512, 16 * number(e, 2))
		reads(e, 0, k, 4);
	writes(e, 1, w->id[0], 4);
}

static void do_while(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 3, 1)
		reads(e, 0, 8 * w->id[0] + 2 * k, 4);
	writes(e, 1, w->id[0], 4);
}

static void walked(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1) {
		reads(e, 0, 8 * w->id[0] + k, 4);
		writes(e, 1, 8 * w->id[0] + 7 - k, 4);
	}
}

static void nested2(struct expect *e, const struct work_item *w)
{
	EACH(y, 0, y < 3, 1)
		EACH(x, 0, x < 5, 1)
			reads(e, 0, w->id[0] + y * 64 + x * 8, 4);
	writes(e, 1, w->id[0], 4);
}

static void nested3(struct expect *e, const struct work_item *w)
{
	EACH(z, 0, z < 3, 1) {
		EACH(y, 0, y < 2, 1) {
			EACH(x, 0, x < 4, 1)
				reads(e, 0, w->id[0] + 64 * z + 32 * y + 8 * x, 4);
			writes(e, 1, w->id[0], 4);
		}
		reads(e, 0, w->id[0] * z, 4);
	}
}

static void nested4(struct expect *e, const struct work_item *w)
{
	EACH(a, 0, a < 2, 1)
		EACH(b, 0, b < 3, 1)
			EACH(c, 0, c < 2, 1)
				EACH(d, 0, d < 2, 1)
					reads(e, 0, 8 * a + 4 * c + 2 * d + (w->id[0] + b) % 2, 1);
	writes(e, 1, w->id[0], 4);
}

static void triangle(struct expect *e, const struct work_item *w)
{
	EACH(y, 0, y < 4, 1)
		EACH(x, 0, x <= y, 1) {
			reads(e, 0, 16 * w->id[0] + 4 * x + y, 4);
			writes(e, 1, 16 * w->id[0] + 4 * y + x, 4);
		}
}

static void broken(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1) {
		reads(e, 0, 8 * w->id[0] + k, 4);
		if (value(e, 0, 8 * w->id[0] + k) == 3) {
			loop_leave(e);
			break;
		}
	}
	writes(e, 1, w->id[0], 4);
}

static void continued(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1) {
		if ((k + w->id[0]) % 3 == 0)
			continue;
		reads(e, 0, 8 * w->id[0] + 7 - k, 4);
		writes(e, 1, 8 * w->id[0] + k, 4);
	}
}

/* clang ends the life of v on each way, in one place: the write lies in the loop. */
static void two_exits(struct expect *e, const struct work_item *w)
{
	int64_t sum = 0;

	EACH(k, 0, k < 8, 1) {
		int64_t v = value(e, 0, 8 * w->id[0] + k);

		reads(e, 0, 8 * w->id[0] + k, 4);
		if (v > 17) {
			writes(e, 1, 2 * w->id[0], 4);
			loop_leave(e);
			return;
		}
		sum += v;
		if (sum > 60) {
			loop_leave(e);
			break;
		}
	}
	writes(e, 1, 2 * w->id[0] + 1, 4);
}

static void matmul(struct expect *e, const struct work_item *w)
{
	int64_t n = number(e, 3);

	EACH(k, 0, k < n, 1) {
		reads(e, 0, w->id[1] * n + k, 4);
		reads(e, 1, k * w->size[0] + w->id[0], 4);
	}
	writes(e, 2, w->id[1] * w->size[0] + w->id[0], 4);
}

static void siblings(struct expect *e, const struct work_item *w)
{
	int64_t at = 4 * w->id[0];

	EACH(k, 0, k < 4, 1) {
		reads(e, 0, at + 3 - k, 4);
		writes(e, 1, at + k, 4);
	}
	EACH(k, 0, k < 3, 1) {
		reads(e, 0, k, 4);
		changes(e, 1, at + k, 4);
		EACH(j, 0, j < 2, 1)
			changes(e, 1, at + j, 4);
		EACH(j, 3, j > 1, -1) {
			reads(e, 0, j + k, 4);
			changes(e, 1, at + j, 4);
		}
	}
}

static void in_conditions(struct expect *e, const struct work_item *w)
{
	int64_t at = 8 * w->id[0];

	EACH(k, 0, k < 4, 1) {
		reads(e, 0, at + k, 4);
		writes(e, 1, at + k, 4);
		EACH(j, 0, j < 2, 1) {
			reads(e, 0, at + k + j, 4);
			changes(e, 1, at + 4 + j, 4);
		}
	}
}

static void while_data(struct expect *e, const struct work_item *w)
{
	int64_t at = value(e, 0, w->id[0]), steps = 0;

	reads(e, 0, w->id[0], 4);
	for (loop_enter(e);; loop_next(e), steps++) {
		reads(e, 1, at, 4);
		at = value(e, 1, at);
		if (at % 8 == 0 || steps == 20)
			break;
	}
	loop_leave(e);
	writes(e, 2, w->id[0], 4);
}

const struct expectation expectations[] = { { "summed", summed },
	                                    { "zero_trips", zero_trips },
	                                    { "some_trips", some_trips },
	                                    { "downward", downward },
	                                    { "strided", strided },
	                                    { "do_while", do_while },
	                                    { "walked", walked },
	                                    { "nested2", nested2 },
	                                    { "nested3", nested3 },
	                                    { "nested4", nested4 },
	                                    { "triangle", triangle },
	                                    { "broken", broken },
	                                    { "continued", continued },
	                                    { "two_exits", two_exits },
	                                    { "matmul", matmul },
	                                    { "siblings", siblings },
	                                    { "in_conditions", in_conditions },
	                                    { "while_data", while_data },
	                                    { NULL, NULL } };
