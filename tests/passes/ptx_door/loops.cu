// Sequences in loops leave as one record here too.
struct matrix {
	const float *data;
	int columns;
};
extern "C" __global__ void loops(matrix m, float *out, int n)
{
	float sum = 0;

	for (int r = 0; r < n; r++)
		for (int c = 0; c < m.columns; c++)
			sum += m.data[r * m.columns + c];
	for (int i = 0; i < n; i++)
		out[i] = sum;
}
// CHECK-LABEL: define ptx_kernel void @loops(
// CHECK: call void @warpline_row(
// CHECK: call void @warpline_run(
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":1,"argument":-1,"place":["loops.cu",12,
// TABLE-NEXT: {"kind":"write","bytes":4,"space":1,"loop":2,"argument":1,"place":["loops.cu",14,
// TABLE-NEXT: "loops":[
// TABLE-NEXT: {"parent":-1,"depth":1,
// TABLE-NEXT: {"parent":0,"depth":2,
// TABLE-NEXT: {"parent":-1,"depth":1,
