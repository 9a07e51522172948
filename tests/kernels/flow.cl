// Switches, phis, selects, gotos, conditions that do and do not depend on data, early returns.
// run: switched       64 16 : int[64]=random(-2,12) int[64]=zero
// run: falls_through  64 16 : int[64]=random(0,6) int[64]=zero
// run: switch_in_loop 16 4 : uchar[128]=random(0,5) int[16]=zero
// run: forward_goto   64 16 : int[64]=random(-4,4) int[64]=zero
// run: state_machine  16 4 : uchar[256]=random(0,3) int[64]=zero
// run: chained        64 16 : int[64]=random(-100,100) int[64]=zero
// run: early_return   60 12 : int[64]=iota int[64]=zero int=41
// run: two_returns    64 16 : int[64]=random(-4,4) int[64]=zero int[64]=zero
// run: by_parity      64 16 : int[64]=iota int[128]=zero
// run: uniform        64 16 : int[64]=iota int[64]=zero int=1 int=0
// run: short_circuit  64 16 : int[64]=random(0,64) int[64]=random(0,4) int[64]=zero
// run: phi_pointer    64 16 : int[64]=iota int[64]=steps(100) int[64]=zero
// run: select_pointer 64 16 : int[64]=random(0,2) int[64]=iota int[64]=steps(10) int[64]=zero
// run: moving_pointer 16 4 : int[64]=random(0,2) int[128]=iota int[128]=steps(3) int[16]=zero
// run: wide_switch    64 16 : ulong[64]=random(0,5) long[64]=zero
// run: swapped        64 16 : int[64]=random(0,6) int[64]=zero

__kernel void switched(__global const int *in, __global int *out)
{
	int i = get_global_id(0), v = in[i], r;

	switch (v) {
	case -1:
		r = 5;
		break;
	case 0:
	case 1:
		r = in[(i + 1) & 63];
		break;
	case 4:
		r = v * v;
		break;
	case 9:
		out[i] = 99;
		return;
	default:
		r = -v;
	}
	out[i] = r;
}

__kernel void falls_through(__global const int *in, __global int *out)
{
	int i = get_global_id(0), r = 0;

	switch (in[i]) {
	case 4:
		r += 1000;
	case 3:
		r += in[(i + 3) & 63];
	case 2:
		r *= 2;
		break;
	case 1:
		r = 7;
	default:
		r++;
	}
	out[i] = r;
}

__kernel void switch_in_loop(__global const uchar *code, __global int *out)
{
	int i = get_global_id(0), acc = i;

	for (int k = 0; k < 8; k++) {
		switch (code[8 * i + k]) {
		case 0:
			acc += 3;
			continue;
		case 1:
			acc *= 2;
			break;
		case 2:
			out[i] = acc;
			break;
		case 3:
			k++;
			break;
		}
		acc ^= 1;
	}
	out[i] += acc;
}

__kernel void forward_goto(__global const int *in, __global int *out)
{
	int i = get_global_id(0), v = in[i];

	if (v < 0)
		goto negative;
	if (v == 0)
		goto done;
	out[i] = v;
	v = 10;
	goto done;
negative:
	out[i] = -v * 100;
done:
	out[i] += v;
}

__kernel void state_machine(__global const uchar *in, __global int *out)
{
	int i = get_global_id(0), at = 0, a = 0, b = 0;

start:
	if (at == 16)
		goto end;
	if (in[16 * i + at++] == 0)
		goto start;
	a++;
second:
	if (at == 16)
		goto end;
	switch (in[16 * i + at++]) {
	case 0:
		goto start;
	case 1:
		b++;
		goto second;
	default:
		a += 10;
		goto second;
	}
end:
	out[4 * i] = a;
	out[4 * i + 1] = b;
}

__kernel void chained(__global const int *in, __global int *out)
{
	int i = get_global_id(0), v = in[i];

	if (v < -50)
		out[i] = 1;
	else if (v < 0)
		out[i] = in[63 - i];
	else if (v < 50)
		out[i] = v > 25 ? in[i ^ 1] : in[i ^ 2] + 1;
	else
		out[i] = v / 3;
}

__kernel void early_return(__global const int *in, __global int *out, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	out[i] = in[i] * 2;
}

__kernel void two_returns(__global const int *in, __global int *out, __global int *more)
{
	int i = get_global_id(0);

	if (in[i] < 0) {
		out[i] = -1;
		return;
	}
	more[i] = in[i];
	if (in[i] > 2)
		return;
	out[i] = 1;
}

__kernel void by_parity(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	if (i & 1)
		out[i] = in[i] + 1;
	else
		out[i + 64] = in[63 - i];
}

__kernel void uniform(__global const int *in, __global int *out, int yes, int no)
{
	int i = get_global_id(0);

	if (yes)
		out[i] = in[i];
	if (no)
		out[63 - i] = in[i];
}

__kernel void short_circuit(__global const int *index, __global const int *flag, __global int *out)
{
	int i = get_global_id(0);

	if (flag[i] && index[index[i]] > 20 || flag[(i + 1) & 63] == 3)
		out[i] = 1;
}

__kernel void phi_pointer(__global const int *a, __global const int *b, __global int *out)
{
	int i = get_global_id(0);
	__global const int *p;

	if (i & 2) {
		p = a + i;
		out[i] = 5;
	} else {
		p = b + 63 - i;
	}
	out[i] += *p;
}

__kernel void select_pointer(__global const int *which, __global const int *a,
                             __global const int *b, __global int *out)
{
	int i = get_global_id(0);
	__global const int *p = which[i] ? a : b;

	out[i] = p[i];
}

__kernel void moving_pointer(__global const int *which, __global const int *a,
                             __global const int *b, __global int *out)
{
	int i = get_global_id(0), sum = 0;
	__global const int *p = a + 8 * i;

	for (int k = 0; k < 4; k++) {
		if (which[4 * i + k])
			p = b + 8 * i + k;
		sum += *p++;
	}
	out[i] = sum;
}

__kernel void wide_switch(__global const ulong *in, __global long *out)
{
	int i = get_global_id(0);

	switch (in[i] * 0x100000000UL + 1) {
	case 1:
		out[i] = -1;
		break;
	case 0x200000001UL:
		out[i] = 0x7fffffffffffffffL;
		break;
	case 0x300000001UL:
		out[i] = 3;
		break;
	default:
		out[i] = -0x7fffffffffffffffL - 1;
	}
}

/* Two values that take each other's place in each round. */
__kernel void swapped(__global const int *in, __global int *out)
{
	int i = get_global_id(0), x = i, y = 1000;

	for (int k = in[i]; k > 0; k--) {
		int old = x;

		x = y;
		y = old;
	}
	out[i] = 3 * x + y;
}
