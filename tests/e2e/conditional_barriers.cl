// Barriers under conditions that are the same for a whole group.
// run: leaving        64 16 : int[64]=random(-1000,1000) int[64]=zero int=2
// run: leaving_twice  64 16 : int[64]=random(-1000,1000) int[64]=zero int=1
// run: in_if          64 16 : int[64]=random(-1000,1000) int[64]=zero
// run: in_both        64 16 : int[64]=random(-1000,1000) int[64]=zero
// run: in_switch      64 16 : int[64]=random(-1000,1000) int[64]=zero
// run: broken_loop    64 16 : int[64]=random(1,1000) int[64]=zero int=7
// run: continued      64 16 : int[64]=random(-1000,1000) int[64]=zero int=5
// run: nested         64 16 : int[64]=random(-1000,1000) int[64]=zero int=3
// run: reduction      64 16 : int[64]=random(-1000,1000) int[4]=zero local[64]
// run: in_helper      64 16 : int[64]=random(-1000,1000) int[64]=zero
// run: square         8x8 4x4 : int[64]=random(-1000,1000) int[64]=zero int=1

/* Whole groups return before the barrier. */
__kernel void leaving(__global const int *in, __global int *out, int groups)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0);

	if ((int)get_group_id(0) >= groups)
		return;
	kept[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = kept[15 - l] + in[i];
}

__kernel void leaving_twice(__global const int *in, __global int *out, int first)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);

	out[i] = -1;
	if (g < first)
		return;
	kept[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = kept[l ^ 1];
	if (g == 2)
		return;
	barrier(CLK_LOCAL_MEM_FENCE);
	kept[l] = out[i] + in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = kept[15 - l];
}

__kernel void in_if(__global const int *in, __global int *out)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0);

	if (get_group_id(0) % 2) {
		kept[l] = in[i];
		barrier(CLK_LOCAL_MEM_FENCE);
		out[i] = kept[(l + 3) & 15];
	}
	out[i] += in[63 - i];
}

__kernel void in_both(__global const int *in, __global int *out)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0), v = in[i];

	if (get_group_id(0) < 2) {
		kept[l] = v;
		barrier(CLK_LOCAL_MEM_FENCE);
		v = kept[15 - l];
	} else {
		kept[15 - l] = v + 1;
		barrier(CLK_LOCAL_MEM_FENCE);
		v = kept[l ^ 2];
		out[i] = v;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = v + kept[l];
}

__kernel void in_switch(__global const int *in, __global int *out)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0);

	kept[l] = in[i];
	switch (get_group_id(0)) {
	case 0:
		barrier(CLK_LOCAL_MEM_FENCE);
		out[i] = kept[15 - l];
		break;
	case 1:
		out[i] = in[i] * 2;
		break;
	case 2:
		barrier(CLK_LOCAL_MEM_FENCE);
		out[i] = kept[l ^ 1];
		barrier(CLK_LOCAL_MEM_FENCE);
		kept[l] = out[i];
		/* falls through */
	default:
		barrier(CLK_LOCAL_MEM_FENCE);
		out[i] += kept[0];
	}
}

/* The group leaves its loop early, all at once. */
__kernel void broken_loop(__global const int *in, __global int *out, int limit)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0), sum = 0;

	for (int r = 0; r < limit; r++) {
		kept[l] = in[(i + r) & 63];
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += kept[15 - l];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (r == g)
			break;
		out[i] = sum;
	}
	out[i] += sum;
}

__kernel void continued(__global const int *in, __global int *out, int limit)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0), sum = 0;

	for (int r = 0; r < limit; r++) {
		sum += in[(i * 3 + r) & 63];
		if ((r + get_group_id(0)) % 2)
			continue;
		kept[l] = sum;
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += kept[(l + 1) & 15];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = sum;
}

__kernel void nested(__global const int *in, __global int *out, int rounds)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0), v = in[i];

	for (int r = 0; r < rounds; r++) {
		if ((int)get_group_id(0) == r)
			continue;
		for (int k = 0; k <= r; k++) {
			kept[l] = v + k;
			barrier(CLK_LOCAL_MEM_FENCE);
			v += kept[l ^ 1] + in[(i + k) & 63];
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		out[i] = v;
	}
}

/* Work-items differ around the barriers, not at them. */
__kernel void reduction(__global const int *in, __global int *out, __local int *part)
{
	int l = get_local_id(0);

	part[l] = in[get_global_id(0)];
	if (get_group_id(0) != 1) {
		for (int step = 8; step > 0; step /= 2) {
			barrier(CLK_LOCAL_MEM_FENCE);
			if (l < step)
				part[l] += part[l + step];
		}
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}

int exchange(__local int *kept, int l, int v)
{
	kept[l] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
	return kept[15 - l];
}

__kernel void in_helper(__global const int *in, __global int *out)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0);

	if (get_group_id(0) & 2)
		out[i] = exchange(kept, l, in[i]);
	else
		out[i] = in[i] + 1;
}

__kernel void square(__global const int *in, __global int *out, int row)
{
	__local int kept[4][4];
	int x = get_global_id(0), y = get_global_id(1), i = y * 8 + x;
	int lx = get_local_id(0), ly = get_local_id(1);

	if ((int)get_group_id(1) != row)
		return;
	kept[ly][lx] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = kept[lx][ly];
}
