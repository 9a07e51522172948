// Loads of ptx_door/bypass.sh. Without a list they are loads like any other.
extern "C" __global__ void loads(float *out, const float *f, const unsigned char *c, const double *d,
                                 const float4 *v, int *const *p, volatile const int *w)
{
	int i = threadIdx.x;

	out[i] = f[i];
	out[i] += c[i];
	out[i] += (float)d[i];
	out[i] += v[i].x + v[i].y;
	out[i] += p[i] != 0;
	out[i] += w[i];
}
// PTX-NOT: ld.global.cg
// PTX: .visible .entry loads(
// PTX-NOT: ld.global.cg
