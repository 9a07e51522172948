// printf: what is printed is compared too.
// run: prints       4 1 : int[4]=steps(3) int[4]=zero
// run: prints_types 1 1 : float[4]=random long[1]=random

__kernel void prints(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[i] * 2;
	if (i == 2)
		printf("item %d: %5d|%-5u|%x\n", i, in[i], (uint)out[i], 255 * i);
}

__kernel void prints_types(__global const float4 *in, __global const long *number)
{
	printf("%s %c %% %ld %.3f\n", "text", 'c', number[0], (double)in[0].x);
	printf("%.2v4hlf\n", in[0]);
}
