# SPDX-License-Identifier: Apache-2.0
"""Every sort of OpenCL object that pyopencl has a class for, in one run."""
import numpy
import pyopencl as cl

SOURCE = """
kernel void scale(global int *a, int by) { a[get_global_id(0)] *= by; }
kernel void reverse(global const int *in, global int *out, local int *scratch)
{
    int l = get_local_id(0), n = get_local_size(0);
    scratch[l] = in[get_global_id(0)] + ADDEND;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[n - 1 - l];
}
"""
context = cl.create_some_context(interactive=False)
device = context.devices[0]
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
flags = cl.mem_flags
numbers = numpy.arange(256, dtype=numpy.int32)

program = cl.Program(context, SOURCE).build(options=["-DADDEND=5"])
print("kernels", sorted(k.function_name for k in program.all_kernels()))
print("arguments", program.reverse.num_args, program.scale.num_args)
print("source is kept", program.get_info(cl.program_info.SOURCE) == SOURCE)
print("group fits", program.reverse.get_work_group_info(
    cl.kernel_work_group_info.WORK_GROUP_SIZE, device) >= 64)

a = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=numbers)
out = cl.Buffer(context, flags.READ_WRITE, numbers.nbytes)
event = program.scale(queue, numbers.shape, None, a, numpy.int32(3))
event = program.reverse(queue, numbers.shape, (32,), a, out, cl.LocalMemory(32 * 4),
                        wait_for=[event])
event.wait()
print("times rise", event.profile.queued <= event.profile.submit <= event.profile.start
      <= event.profile.end)
result = numpy.empty_like(numbers)
cl.enqueue_copy(queue, result, out)
print("values", int(result.sum()), int(result[0]), int(result[255]))

part = out.get_sub_region(128 * 4, 64 * 4, flags.READ_WRITE)
program.scale(queue, (64,), (16,), part, numpy.int32(-1))
mapped, _ = cl.enqueue_map_buffer(queue, out, cl.map_flags.READ, 0, numbers.shape, numbers.dtype)
print("mapped", int(mapped.sum()), int(mapped[127]), int(mapped[128]))
del mapped

gate = cl.UserEvent(context)
last = program.scale(queue, (64,), None, a, numpy.int32(7), wait_for=[gate])
gate.set_status(cl.command_execution_status.COMPLETE)
last.wait()
cl.enqueue_copy(queue, result, a)
print("behind an event", int(result[:64].sum()))

again = cl.Program(context, [device], program.binaries).build()
again.scale(queue, (64,), None, a, numpy.int32(2)).wait()
cl.enqueue_copy(queue, result, a)
print("from a binary", int(result[:64].sum()))
