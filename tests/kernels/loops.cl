// Loops of every form. Trip counts are what the comments say; addresses have a closed form.
// run: summed        16 4 : int[128]=random(-1000,1000) int[16]=zero int=8
// run: zero_trips    16 4 : int[64]=random(-1000,1000) int[16]=zero int=0
// run: some_trips    16 4 : int[16]=random(0,6) int[96]=random(-1000,1000) int[16]=zero
// run: downward      16 4 : int[128]=random(-1000,1000) int[16]=zero int=8
// run: strided       16 4 : int[512]=random(-1000,1000) int[16]=zero int=5
// run: do_while      16 4 : int[128]=random(-1000,1000) int[16]=zero int=3
// run: walked        16 4 : int[128]=random(-1000,1000) int[128]=zero
// run: nested2       16 4 : int[256]=random(-1000,1000) int[16]=zero int=3 int=5
// run: nested3       8 4 : int[256]=random(-1000,1000) int[8]=zero
// run: nested4       8 4 : uchar[16]=random int[8]=zero
// run: triangle      16 4 : int[256]=random(-1000,1000) int[256]=zero
// run: broken        16 4 : int[128]=random(0,10) int[16]=zero
// run: continued     16 4 : int[128]=iota int[128]=zero
// run: two_exits     16 4 : int[128]=random(0,20) int[32]=zero
// run: matmul        12x8 4x4 : int[60]=random(-9,9) int[60]=random(-9,9) int[96]=zero int=5
// run: siblings      16 4 : int[64]=random(-1000,1000) int[64]=zero
// run: in_conditions 16 4 : int[128]=random(-1000,1000) int[128]=zero int=1 int=0
// run: while_data    16 4 : int[16]=iota int[64]=shuffle int[16]=zero

__kernel void summed(__global const int *in, __global int *out, int n)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < n; k++)
		sum += in[i * n + k];
	out[i] = sum;
}

__kernel void zero_trips(__global const int *in, __global int *out, int n)
{
	int i = get_global_id(0);

	for (int k = 0; k < n; k++)
		out[i] += in[i + k];
	for (int k = 0; k < n; k++)
		for (int j = 0; j < 4; j++)
			out[i] += in[i + j];
	out[i] = 3;
}

__kernel void some_trips(__global const int *count, __global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0, n = count[i];

	for (int k = 0; k < n; k++)
		sum += in[6 * i + k];
	out[i] = sum;
}

__kernel void downward(__global const int *in, __global int *out, int n)
{
	int i = get_global_id(0), sum = 0;

	for (int k = n - 1; k >= 0; k--)
		sum = sum * 3 + in[i * n + k];
	out[i] = sum;
}

__kernel void strided(__global const int *in, __global int *out, int step)
{
	int i = get_global_id(0), sum = 0;

	for (uint k = i; k < 512; k += 16 * step)
		sum += in[k];
	out[i] = sum;
}

__kernel void do_while(__global const int *in, __global int *out, int n)
{
	int i = get_global_id(0), k = 0, sum = 0;

	do {
		sum += in[8 * i + 2 * k];
	} while (++k < n);
	out[i] = sum;
}

__kernel void walked(__global const int *in, __global int *out)
{
	__global const int *from = in + 8 * get_global_id(0), *end = from + 8;
	__global int *to = out + 8 * get_global_id(0) + 7;

	while (from != end)
		*to-- = *from++ + 1;
}

__kernel void nested2(__global const int *in, __global int *out, int rows, int columns)
{
	int i = get_global_id(0), sum = 0;

	for (int y = 0; y < rows; y++)
		for (int x = 0; x < columns; x++)
			sum += in[i + y * 64 + x * 8];
	out[i] = sum;
}

__kernel void nested3(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int z = 0; z < 3; z++) {
		for (int y = 0; y < 2; y++) {
			for (int x = 0; x < 4; x++)
				sum += in[i + 64 * z + 32 * y + 8 * x];
			out[i] = sum;
		}
		sum ^= in[i * z];
	}
}

__kernel void nested4(__global const uchar *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int a = 0; a < 2; a++)
		for (int b = 0; b < 3; b++)
			for (int c = 0; c < 2; c++)
				for (int d = 0; d < 2; d++)
					sum = sum * 2 + in[8 * a + 4 * c + 2 * d + (i + b) % 2];
	out[i] = sum;
}

__kernel void triangle(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int y = 0; y < 4; y++)
		for (int x = 0; x <= y; x++)
			out[16 * i + 4 * y + x] = in[16 * i + 4 * x + y];
}

__kernel void broken(__global const int *in, __global int *out)
{
	int i = get_global_id(0), k;

	for (k = 0; k < 8; k++)
		if (in[8 * i + k] == 3)
			break;
	out[i] = k;
}

__kernel void continued(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int k = 0; k < 8; k++) {
		if ((k + i) % 3 == 0)
			continue;
		out[8 * i + k] = in[8 * i + 7 - k];
	}
}

__kernel void two_exits(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < 8; k++) {
		int v = in[8 * i + k];

		if (v > 17) {
			out[2 * i] = k;
			return;
		}
		sum += v;
		if (sum > 60)
			break;
	}
	out[2 * i + 1] = sum;
}

__kernel void matmul(__global const int *a, __global const int *b, __global int *c, int n)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * w + x];
	c[y * w + x] = sum;
}

__kernel void siblings(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int k = 0; k < 4; k++)
		out[4 * i + k] = in[4 * i + 3 - k];
	for (int k = 0; k < 3; k++) {
		out[4 * i + k] += in[k];
		for (int j = 0; j < 2; j++)
			out[4 * i + j] ^= k;
		for (int j = 3; j > 1; j--)
			out[4 * i + j] -= in[j + k];
	}
}

__kernel void in_conditions(__global const int *in, __global int *out, int yes, int no)
{
	int i = get_global_id(0);

	for (int k = 0; k < 4; k++) {
		if (yes)
			out[8 * i + k] = in[8 * i + k];
		if (no)
			out[8 * i + k] = in[8 * i + 2 * k];
		for (int j = 0; j < 2; j++)
			if (yes != no)
				out[8 * i + 4 + j] += in[8 * i + k + j];
	}
}

__kernel void while_data(__global const int *start, __global const int *next, __global int *out)
{
	int i = get_global_id(0), at = start[i], steps = 0;

	while ((at = next[at]) % 8 != 0 && steps < 20)
		steps++;
	out[i] = steps;
}
