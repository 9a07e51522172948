// Who has the same value as I; whether all have; and reductions of a warp (8.0).
#include "corpus.h"

enum { N = 64 };

__global__ void matches(const int *in, unsigned *any, unsigned *all, int *equal)
{
	int i = threadIdx.x, is_same = -1;
	int value = in[i]; // @1

	any[i] = __match_any_sync(0xffffffff, value % 5);        // @2
	all[i] = __match_all_sync(0xffffffff, i / 32, &is_same); // @3
	equal[i] = is_same;                                      // @4
	__match_all_sync(0xffffffff, (long long)value << 33, &is_same);
	equal[N + i] = is_same; // @5
}

int main()
{
	int in[N], equal[2 * N];
	unsigned any[N], all[N];

	for (int i = 0; i < N; i++)
		in[i] = i < 32 ? 9 : i * 3;
	int *a = device_array("in", N, in), *d = device_array<int>("equal", 2 * N);
	unsigned *b = device_array<unsigned>("any", N), *c = device_array<unsigned>("all", N);
	matches<<<1, N>>>(a, b, c, d);
	finish();
	fetch(any, b, N);
	fetch(all, c, N);
	fetch(equal, d, 2 * N);
	for (int i = 0; i < N; i++) {
		unsigned want = 0;

		for (int k = 0; k < 32; k++)
			want |= (unsigned)(in[i / 32 * 32 + k] % 5 == in[i] % 5) << k;
		same("any", i, any[i], want);
		same("all", i, all[i], 0xffffffffu);
		same("equal", i, equal[i] != 0, true);
		same("long equal", i, equal[N + i] != 0, i < 32);
	}
	return verdict();
}
