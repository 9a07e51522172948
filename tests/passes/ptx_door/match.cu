// A match of 64 bits has a mask of 32; a variable may begin as a pointer into another one.
__device__ int table[4] = { 1, 2, 3, 4 };
__device__ int *cursor = &table[2];

extern "C" __global__ void match(unsigned *out, long long key)
{
	int all;

	out[0] = __match_any_sync(0xffffffffu, key);
	out[1] = __match_all_sync(0xffffffffu, key, &all);
	out[2] = all + *cursor;
}
// PTX: .visible .global .align 8 .u64 cursor = generic(table)+8;
// PTX: match.any.sync.b64 %r{{[0-9]+}}, %rd{{[0-9]+}}, -1;
// PTX: match.all.sync.b64 %r{{[0-9]+}}|%p{{[0-9]+}}, %rd{{[0-9]+}}, -1;
