// Structs: aligned, packed, nested, with arrays; unions; copies of whole structs.
// run: members        32 8 : int[128]=random(-1000,1000) int[32]=zero
// run: packed         32 8 : uchar[224]=random int[32]=zero
// run: packed_write   32 8 : uchar[224]=zero
// run: nested         16 4 : int[256]=random(-1000,1000) long[16]=zero
// run: copied         16 4 : int[256]=random(-1000,1000) int[256]=zero
// run: aligned        16 4 : int[128]=random(-1000,1000) int[128]=zero
// run: unions         32 8 : uint[32]=random uint[32]=zero ushort[64]=zero
// run: returned       32 8 : int[64]=random(-1000,1000) int[64]=zero
// run: by_value       32 8 : int[32]=zero int8=6
// run: cleared        16 4 : int[256]=random(-1000,1000)

struct mixed {
	char small;
	short middle;
	int large;
	long wide;
};

struct __attribute__((packed)) tight {
	char tag;
	int value;
	short end;
};

struct inner {
	int first, second[3];
};

struct outer {
	struct inner parts[3];
	int4 tail;
};

struct __attribute__((aligned(32))) roomy {
	int a, b;
};

union word {
	uint whole;
	ushort half_words[2];
	uchar bytes[4];
	float number;
};

struct pair {
	int first, second;
};

__kernel void members(__global const struct mixed *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[i].small + in[i].middle + in[i].large + (int)in[i].wide;
}

__kernel void packed(__global const struct tight *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[i].tag * 3 + in[i].value + in[i].end;
}

__kernel void packed_write(__global struct tight *out)
{
	int i = get_global_id(0);

	out[i].end = (short)(i * 7);
	out[i].tag = (char)-i;
	out[i].value = i * 1000003;
}

__kernel void nested(__global const struct outer *in, __global long *out)
{
	int i = get_global_id(0);
	long sum = in[i].tail.z;

	for (int k = 0; k < 3; k++)
		sum += in[i].parts[k].first * in[i].parts[k].second[2 - k];
	out[i] = sum;
}

__kernel void copied(__global const struct outer *in, __global struct outer *out)
{
	int i = get_global_id(0);
	struct outer mine = in[i];

	mine.parts[1].second[1] += mine.tail.x;
	out[i] = mine;
}

__kernel void aligned(__global const struct roomy *in, __global struct roomy *out)
{
	int i = get_global_id(0);

	out[i].b = in[i].a - 1;
	out[i].a = in[i].b + 1;
}

__kernel void unions(__global const uint *in, __global union word *out, __global ushort *halves)
{
	int i = get_global_id(0);
	union word w;

	w.whole = in[i];
	w.bytes[1] ^= w.bytes[3];
	halves[2 * i] = w.half_words[1];
	halves[2 * i + 1] = out[i].half_words[0];
	out[i].bytes[2] = w.bytes[0];
	out[i].half_words[0] = w.half_words[0];
}

static struct pair turned(struct pair p, int by)
{
	struct pair r;

	r.first = p.second + by;
	r.second = p.first - by;
	return r;
}

__kernel void returned(__global const struct pair *in, __global struct pair *out)
{
	int i = get_global_id(0);

	out[i] = turned(turned(in[i], 1), i);
}

struct eight {
	int values[8];
};

__kernel void by_value(__global int *out, struct eight e)
{
	int i = get_global_id(0);

	out[i] = e.values[i & 7] * i + e.values[3];
}

__kernel void cleared(__global struct outer *out)
{
	int i = get_global_id(0);
	struct outer none = { { { 0 } } };

	out[i] = none;
}
