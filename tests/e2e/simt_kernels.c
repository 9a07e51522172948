/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of warp_order.cl, statement by statement. */
#include "simt.h"

#define I (s->gid)
#define X (s->id[0])
#define Y (s->id[1])
#define Z (s->id[2])

static void nested(struct simt *s)
{
	simt_vector k = { 0 }, n = { 0 };

	for (begin_loop(s); loops_on(s);) {
		READS(0, I & 7);
		WHILE(k < (I & 7));
		for (WHERE((I + k) % 3 == 0); goes_on(s);) {
			WRITES(1, I);
			for (WHERE(k == 4); goes_on(s);)
				leave_loop(s);
			for (WHERE((I & 1) == 1); goes_on(s);)
				skip_turn(s);
			WRITES(1, I + 100);
		}
		SET(n, n - n);
		for (begin_loop(s); loops_on(s);) {
			WHILE(n <= (I + k) % 4);
			for (WHERE((n == 2) & (I % 5 == 1)); goes_on(s);)
				leave_loop(s);
			WRITES(1, I + 200);
			begin_foot(s);
			SET(n, n + 1);
		}
		WRITES(1, I + 300);
		begin_foot(s);
		SET(k, k + 1);
	}
	READS(0, I - I);
	WRITES(1, I + 400);
}

static void turns(struct simt *s)
{
	const simt_vector i = X + 5 * (Y + 3 * Z);
	simt_vector n = { 0 };

	for (int k = 0; k < 3; k++) {
		for (WHERE(X > Y); goes_on(s);)
			WRITES(0, i);
		for (WHERE(X <= Y); goes_on(s);) {
			WRITES(0, i + 100);
			for (WHERE(Z != 0); goes_on(s);)
				WRITES(0, i + 200);
		}
		WRITES(0, i + 300); /* behind the barrier */
	}
	for (begin_loop(s); loops_on(s);) {
		WRITES(0, i + 400);
		SET(n, n + 1);
		WHILE(n <= X % 3 + Z);
	}
	for (WHERE(Y == 1); goes_on(s);)
		leave_kernel(s);
	WRITES(0, i + 500);
}

static void leaving(struct simt *s)
{
	simt_vector k = { 0 }, is_found = { 0 };

	for (begin_loop(s); loops_on(s);) {
		WHILE(k < 6);
		READS(0, (I + k) % 96);
		for (WHERE((I + k) % 96 % 7 == 3); goes_on(s);) {
			SET(is_found, k + 1);
			leave_loop(s);
		}
		WRITES(1, I + 100);
		SET(k, k + 1);
	}
	for (WHERE(is_found != 0); goes_on(s);)
		WRITES(1, I);
	WRITES(1, I + 200);
}

static void returning(struct simt *s)
{
	simt_vector k = { 0 };

	for (WHERE(I % 3 != 0); goes_on(s);) {
		for (begin_loop(s); loops_on(s);) {
			WHILE(k < 4);
			WRITES(0, I);
			for (WHERE(k == I % 5); goes_on(s);)
				leave_kernel(s);
			for (WHERE(k > I % 2); goes_on(s);) {
				for (WHERE(I % 7 == k); goes_on(s);)
					leave_kernel(s);
				WRITES(0, I + 100);
			}
			SET(k, k + 1);
		}
		WRITES(0, I + 200);
	}
	WRITES(0, I + 300);
}

static void twice(struct simt *s)
{
	simt_vector n = (I * 5 + I / 8) % 6;

	READS(0, I);
	for (begin_loop(s); loops_on(s);) {
		WHILE(n > 0);
		WRITES(1, I);
		SET(n, n - 1 - (I & 1));
	}
	for (begin_loop(s); loops_on(s);) {
		WHILE(n < 3);
		SET(n, n + 1);
		for (WHERE(n == 2); goes_on(s);)
			skip_turn(s);
		WRITES(1, I + 100);
		begin_foot(s);
	}
}

const struct simt_kernel simt_kernels[SIMT_KERNELS] = {
	{ "nested", nested },       { "turns", turns }, { "leaving", leaving },
	{ "returning", returning }, { "twice", twice },
};
