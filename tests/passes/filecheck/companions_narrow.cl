// Pointers of 32 bits: sums of 64 bits may differ from theirs, so that only the same address counts.
// OPTIONS: --address-bits 32
__kernel void narrow(__global int *a, __global int *b)
{
	size_t i = get_global_id(0);

	a[i] += 1;
	a[i + 1] = 2;
	b[i] = 3;
}
// TABLE: "name":"narrow"{{.*}}"item_words":3
// TABLE: "companions":{{\[\[}}1,0,0,-1,"0x0"]],"differences":0
