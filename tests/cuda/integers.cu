// Functions of bits and integers.
#include "corpus.h"

enum { N = 64 };

__global__ void bits(const unsigned *in, unsigned *out)
{
	unsigned i = threadIdx.x;
	unsigned x = in[i]; // @1

	out[8 * i] = __popc(x);                     // @2
	out[8 * i + 1] = __clz(x);                  // @3
	out[8 * i + 2] = __ffs(x);                  // @4
	out[8 * i + 3] = __brev(x);                 // @5
	out[8 * i + 4] = __umulhi(x, 0x10000001u);  // @6
	out[8 * i + 5] = min(x, 1000u) + max((int)x, -5); // @7
	out[8 * i + 6] = __byte_perm(x, 0x11223344, 0x2075); // @8
	out[8 * i + 7] = __popcll((unsigned long long)x << 20 | x) // @9
		+ __clzll(x) + __mul24(x & 0xfff, 3) + abs((int)(x | 0x80000000u) / 3) % 7;
}

int main()
{
	unsigned in[N], out[8 * N];

	for (unsigned i = 0; i < N; i++)
		in[i] = i == 0 ? 0 : i * 2654435761u;
	unsigned *a = device_array("in", N, in), *b = device_array<unsigned>("out", 8 * N);
	bits<<<1, N>>>(a, b);
	finish();
	fetch(out, b, 8 * N);
	for (unsigned i = 0; i < N; i++) {
		unsigned x = in[i], reversed = 0, *o = &out[8 * i];
		int signed_x = (int)x;

		for (int k = 0; k < 32; k++)
			reversed |= (x >> k & 1) << (31 - k);
		same("popc", i, o[0], (unsigned)__builtin_popcount(x));
		same("clz", i, o[1], x ? (unsigned)__builtin_clz(x) : 32u);
		same("ffs", i, o[2], (unsigned)__builtin_ffs(signed_x));
		same("brev", i, o[3], reversed);
		same("umulhi", i, o[4], (unsigned)((unsigned long long)x * 0x10000001u >> 32));
		same("min and max", i, o[5],
		     (x < 1000 ? x : 1000) + (unsigned)(signed_x > -5 ? signed_x : -5));
		// Bytes 5, 7, 0 and 2, from the lowest, of the words 0x11223344 (4..7) and x (0..3).
		same("byte_perm", i, o[6],
		     0x33u | 0x11u << 8 | (x & 0xff) << 16 | (x >> 16 & 0xff) << 24);
		same("more", i, o[7],
		     (unsigned)__builtin_popcountll((unsigned long long)x << 20 | x) +
		     (x ? (unsigned)__builtin_clzll(x) : 64u) + (x & 0xfff) * 3 +
		     (unsigned)(abs((int)(x | 0x80000000u) / 3) % 7));
	}
	return verdict();
}
