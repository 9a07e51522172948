// Every atomic of the language that has a result of its own, each type that it takes.
#include "corpus.h"

enum { N = 64 };

struct cells {
	int add, sub, exchange, minimum, maximum, bit_and, bit_or, bit_xor;
	unsigned unsigned_add, unsigned_min, unsigned_max, increment, decrement, swapped;
	float float_add;
	int unused;
	double double_add;
	unsigned long long long_add, long_max, long_and;
};

__global__ void whole(cells *c)
{
	int i = threadIdx.x;

	atomicAdd(&c->add, i);               // @1
	atomicSub(&c->sub, i);               // @2
	atomicExch(&c->exchange, 7);         // @3
	atomicMin(&c->minimum, 10 - i);      // @4
	atomicMax(&c->maximum, i - 100);     // @5
	atomicAnd(&c->bit_and, ~(1 << i % 8)); // @6
	atomicOr(&c->bit_or, 1 << i % 16);   // @7
	atomicXor(&c->bit_xor, i);           // @8
}

__global__ void other(cells *c)
{
	unsigned i = threadIdx.x;

	atomicAdd(&c->unsigned_add, i);          // @9
	atomicMin(&c->unsigned_min, 100u + i);   // @10
	atomicMax(&c->unsigned_max, 0x80000000u + i); // @11
	atomicInc(&c->increment, 9u);            // @12
	atomicDec(&c->decrement, 9u);            // @13
	atomicCAS(&c->swapped, i, i + 1);        // @14
	atomicAdd(&c->float_add, 0.5f);          // @15
	atomicAdd(&c->double_add, 0.25);         // @16
	atomicAdd(&c->long_add, 1ull << 32);     // @17
	atomicMax(&c->long_max, (unsigned long long)i << 40); // @18
	atomicAnd(&c->long_and, ~(1ull << i));   // @19
}

// What they return: each a number of its own.
__global__ void tickets(unsigned *counter, int *taken)
{
	unsigned mine = atomicAdd(counter, 1u); // @20

	taken[mine] = threadIdx.x + 1; // @21
}

int main()
{
	cells c = {};
	unsigned counter;
	int taken[N], seen[N + 1] = { 0 }, increments = 0, decrements = 0;

	c.bit_and = 0x1ff;
	c.unsigned_min = 1000;
	c.long_and = ~0ull;
	cells *d = device_array("cells", 1, &c);
	whole<<<1, N>>>(d);
	other<<<1, N>>>(d);
	finish();
	fetch(&c, d, 1);
	for (int i = 0; i < N; i++) {
		increments = increments >= 9 ? 0 : increments + 1;
		decrements = decrements == 0 || decrements > 9 ? 9 : decrements - 1;
	}
	same("add", 0, c.add, N * (N - 1) / 2);
	same("sub", 0, c.sub, -N * (N - 1) / 2);
	same("exchange", 0, c.exchange, 7);
	same("minimum", 0, c.minimum, 10 - (N - 1));
	same("maximum", 0, c.maximum, 0);
	same("and", 0, c.bit_and, 0x100);
	same("or", 0, c.bit_or, 0xffff);
	same("xor", 0, c.bit_xor, 0);
	same("unsigned add", 0, c.unsigned_add, (unsigned)(N * (N - 1) / 2));
	same("unsigned min", 0, c.unsigned_min, 100u);
	same("unsigned max", 0, c.unsigned_max, 0x80000000u + N - 1);
	same("increment", 0, (int)c.increment, increments);
	same("decrement", 0, (int)c.decrement, decrements);
	same("swapped", 0, c.swapped >= 1 && c.swapped <= N, true);
	same("float add", 0, c.float_add, 0.5f * N);
	same("double add", 0, c.double_add, 0.25 * N);
	same("long add", 0, c.long_add, (unsigned long long)N << 32);
	same("long max", 0, c.long_max, (unsigned long long)(N - 1) << 40);
	same("long and", 0, c.long_and, 0ull);

	unsigned *dc = device_array<unsigned>("counter", 1);
	int *dt = device_array<int>("taken", N);
	tickets<<<2, N / 2>>>(dc, dt);
	finish();
	fetch(&counter, dc, 1);
	fetch(taken, dt, N);
	same("counter", 0, counter, (unsigned)N);
	for (int i = 0; i < N; i++)
		seen[taken[i]]++;
	for (int i = 1; i <= N / 2; i++)
		same("tickets of", i, seen[i], 2);
	return verdict();
}
