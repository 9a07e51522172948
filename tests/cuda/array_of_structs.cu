// Particles one after another, their members at offsets; whole structs copied; a list followed.
#include "corpus.h"

enum { N = 64 };

struct particle {
	float x, y, z;
	char kind;
	double mass;
};

struct link {
	link *next;
	int value;
};

__global__ void move(particle *p, float dx)
{
	particle *me = &p[threadIdx.x];

	me->x += dx;      // @1
	if (me->kind == 2) // @2
		me->mass *= 2; // @3
}

__global__ void follow(const link *first, int *out)
{
	int sum = 0;

	for (const link *l = first + threadIdx.x; l; l = l->next) // @4
		sum += l->value; // @5
	out[threadIdx.x] = sum; // @6
}

int main()
{
	particle p[N], got[N];
	link links[N];
	int out[N];

	for (int i = 0; i < N; i++)
		p[i] = { (float)i, 2.0f * i, 3.0f * i, (char)(i % 3), 1.25 * i };
	particle *d = device_array("p", N, p);
	move<<<1, N>>>(d, 0.5f);
	finish();
	fetch(got, d, N);
	for (int i = 0; i < N; i++) {
		same("x", i, got[i].x, i + 0.5f);
		same("z", i, got[i].z, 3.0f * i);
		same("mass", i, got[i].mass, 1.25 * i * (i % 3 == 2 ? 2 : 1));
	}
	// From i to i + 7, i + 14... as far as there are any.
	link *l = device_array<link>("links", N);
	for (int i = 0; i < N; i++)
		links[i] = { i + 7 < N ? l + i + 7 : NULL, i };
	MUST(cudaMemcpy(l, links, sizeof(links), cudaMemcpyHostToDevice));
	int *o = device_array<int>("out", N);
	follow<<<1, N>>>(l, o);
	finish();
	fetch(out, o, N);
	for (int i = 0; i < N; i++) {
		int sum = 0;

		for (int k = i; k < N; k += 7)
			sum += k;
		same("out", i, out[i], sum);
	}
	return verdict();
}
