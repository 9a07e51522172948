// OpenCL C 2.0: pipes and kernels enqueued by kernels are named; what the child touches is its own.
// OPTIONS: --options -cl-std=CL2.0 --cl-version 2.0
__kernel void pipes(read_only pipe int in, write_only pipe int out, __global int *a, queue_t q)
{
	reserve_id_t id;
	int v;

	read_pipe(in, &v);
	write_pipe(out, &v);
	id = reserve_read_pipe(in, 2);
	read_pipe(in, id, 0, &v);
	commit_read_pipe(in, id);
	a[0] = get_pipe_num_packets(in);
	enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
		a[get_global_id(0)] = 1;
	});
}
// TABLE: "name":"pipes"{{.*}}"is_repeatable":false
// TABLE: {"kind":"write",{{.*}}"argument":2,"place":["pipes.cl",13,
// TABLE-NOT: {"kind"
// TABLE: {"what":"pipe read","place":["pipes.cl",8,
// TABLE: {"what":"pipe write","place":["pipes.cl",9,
// TABLE: {"what":"pipe read","place":["pipes.cl",10,
// TABLE: {"what":"pipe read","place":["pipes.cl",11,
// TABLE: {"what":"device-side enqueue","place":["pipes.cl",14,
// TABLE-NOT: {"what"
