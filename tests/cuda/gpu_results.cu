// What C++ leaves undefined and a GPU does not: each result is that of the instruction (PTX ISA).
#include "corpus.cuh"

#pragma clang diagnostic ignored "-Wshift-count-overflow"
#pragma clang diagnostic ignored "-Wshift-count-negative"
#pragma clang diagnostic ignored "-Wreturn-type"

enum { WARP = 32, SHIFTS = 16, WIDTHS = 8 };

template <unsigned WIDTH> __device__ unsigned low_bits()
{
	unsigned one = 1;

	return (one << WIDTH) - 1;
}

// Counts that are known, when the code is compiled or once it is inlined, and counts that are not.
__global__ void shifts(unsigned *out, unsigned s, long long *wide, short narrow)
{
	constexpr int all = 32;
	unsigned one = 1, top = 0x80000000u;
	int sign = (int)top;
	unsigned char byte = (unsigned char)narrow;

	out[0] = 1u << s;              // @1
	out[1] = 0x80000000u >> s;     // @2
	out[2] = (int)0x80000000 >> s; // @3
	out[3] = one << all;           // @4
	out[4] = top >> all;           // @5
	out[5] = sign >> all;          // @6
	out[6] = low_bits<32>();       // @7
	out[7] = one << -1;            // @8
	out[8] = narrow >> s;          // @9
	out[9] = byte << s;            // @10
	wide[0] = 1ll << (s + 32);     // @11
	wide[1] = -5ll >> (s + 32);    // @12
	wide[2] = 1ull << s;           // @13
	asm("shl.b32 %0, %1, %2;" : "=r"(out[10]) : "r"(one), "r"(s)); // @14
	asm("shr.s64 %0, %1, %2;" : "=l"(wide[3]) : "l"(-5ll), "r"(s + 32)); // @15
}

// A function without its value, a variable without one, a `bool` that is neither, division by zero.
__device__ int no_value(unsigned *out, int n)
{
	if (n > 5)
		return 7;
	out[0] = 1; // @21
}

__global__ void others(unsigned *out, int n, const bool *flags, const float *numbers)
{
	int x;
	bool flag = flags[n]; // @22

	no_value(out, n);
	if (x)
		x = 1;
	out[1] = 3 + (x & 0); // @23
	out[2] = flag ? 1 : 2; // @24
	out[3] = flag == true ? 1 : 2; // @25
	out[4] = 7 / n;               // @26
	out[5] = 7u % (unsigned)n;    // @27
	out[6] = (int)0x80000000 / (n - 1); // @28
	float huge = numbers[0]; // @29
	out[7] = (int)huge;             // @30
	out[8] = (unsigned)-huge;       // @31
	out[9] = (unsigned char)(huge - huge); // @32
}

// 1 2 5 10 17 26 5 18
__host__ __device__ int width(int i)
{
	return 1 + i * i % WARP;
}

// Lanes of segments that are no power of two wide, of lanes that are not there, and by instruction.
__global__ void shuffles(const int *in, int *out)
{
	int lane = threadIdx.x, value = in[lane]; // @41

	for (int i = 0; i < WIDTHS; i++) {
		int w = width(i), moved;
		int *at = out + (i * WARP + lane) * 6;

		at[0] = __shfl_sync(~0u, value, lane + 3, w);   // @42
		at[1] = __shfl_sync(~0u, value, -1 - lane, w);  // @43
		at[2] = __shfl_up_sync(~0u, value, 3, w);       // @44
		at[3] = __shfl_down_sync(~0u, value, 5, w);     // @45
		at[4] = __shfl_xor_sync(~0u, value, 9, w);      // @46
		asm volatile("{\n\t.reg .pred p;\n\tshfl.sync.down.b32 %0|p, %1, 2, %2, -1;\n\t@p add.s32 %0, %0, %1;\n}"
			     : "=r"(moved)
			     : "r"(value), "r"((WARP - w) << 8 | 31 - i));
		at[5] = moved; // @47
	}
}

// PTX ISA, shfl.sync.
static int source_lane(char mode, int lane, int b, int c, bool *is_there)
{
	int mask = c >> 8 & 31, most = (lane & mask) | (c & 31 & ~mask), least = lane & mask, j;

	b &= 31;
	j = mode == 'u' ? lane - b : mode == 'd' ? lane + b : mode == 'x' ? lane ^ b : least | (b & ~mask);
	*is_there = mode == 'u' ? j >= most : j <= most;
	return *is_there ? j : lane;
}

static void check_shuffles(const int *in, const int *out)
{
	for (int i = 0; i < WIDTHS; i++)
		for (int lane = 0; lane < WARP; lane++) {
			int segment = (WARP - width(i)) << 8, at = i * WARP + lane;
			const int *got = out + at * 6;
			bool is_there;

			same("index", at, got[0], in[source_lane('i', lane, lane + 3, segment | 31, &is_there)]);
			same("index behind", at, got[1], in[source_lane('i', lane, -1 - lane, segment | 31, &is_there)]);
			same("up", at, got[2], in[source_lane('u', lane, 3, segment, &is_there)]);
			same("down", at, got[3], in[source_lane('d', lane, 5, segment | 31, &is_there)]);
			same("xor", at, got[4], in[source_lane('x', lane, 9, segment | 31, &is_there)]);
			int moved = in[source_lane('d', lane, 2, segment | (31 - i), &is_there)];
			same("instruction", at, got[5], is_there ? moved + in[lane] : moved);
		}
}

int main()
{
	static const unsigned shifted[SHIFTS] = { 0, 0, ~0u, 0, 0, ~0u, ~0u, 0, ~0u, 0, 0 };
	static const unsigned other[10] = { 1, 3, 1, 1, ~0u, ~0u, 0x80000000u, 0x7fffffff, 0, 0 };
	static const long long wide[4] = { 0, -1, 1ll << 32, -1 };
	unsigned out[SHIFTS];
	long long long_out[4];
	int in[WARP], lanes[6 * WIDTHS * WARP];
	float numbers[1] = { 1e20f };
	unsigned char flags[1] = { 2 };

	unsigned *a = device_array<unsigned>("out", SHIFTS);
	long long *b = device_array<long long>("wide", 4);
	shifts<<<1, 1>>>(a, 32, b, -3);
	finish();
	fetch(out, a, SHIFTS);
	fetch(long_out, b, 4);
	for (int i = 0; i < 11; i++)
		same("shift", i, out[i], shifted[i]);
	for (int i = 0; i < 4; i++)
		same("shift of 64 bits", i, long_out[i], wide[i]);

	unsigned char *f = device_array("flags", 1, flags);
	float *n = device_array("numbers", 1, numbers);
	others<<<1, 1>>>(a, 0, (const bool *)f, n);
	finish();
	fetch(out, a, SHIFTS);
	for (int i = 0; i < 10; i++)
		same("other", i, out[i], other[i]);

	for (int i = 0; i < WARP; i++)
		in[i] = 1000 + i * i;
	int *c = device_array("in", WARP, in), *d = device_array<int>("lanes", 6 * WIDTHS * WARP);
	shuffles<<<1, WARP>>>(c, d);
	finish();
	fetch(lanes, d, 6 * WIDTHS * WARP);
	check_shuffles(in, lanes);
	return verdict();
}
