# SPDX-License-Identifier: Apache-2.0
"""Arrays of pyopencl: generated kernels for element-wise work, reductions, scans and sorting."""
import numpy
import pyopencl
import pyopencl.array
from pyopencl.algorithm import RadixSort
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
numbers = numpy.arange(1000, dtype=numpy.int32) * 7 % 501

a = pyopencl.array.to_device(queue, numbers)
b = a * 3 + 1
print("arithmetic", int(b.get().sum()), int((a - b).get()[17]))
print("sum and dot", int(pyopencl.array.sum(a).get()), int(pyopencl.array.dot(a, b).get()))
print("extremes", int(pyopencl.array.max(a).get()), int(pyopencl.array.min(b).get()))

out = pyopencl.array.empty_like(a)
ElementwiseKernel(context, "int *a, int *b, int *out", "out[i] = a[i] ^ b[i]", "mixed")(a, b, out)
print("element-wise", int(out.get().sum()))

squares = ReductionKernel(context, numpy.int64, neutral="0", reduce_expr="a + b",
                          map_expr="(long)x[i] * x[i]", arguments="int *x")
print("reduction", int(squares(a).get()), int(numpy.square(numbers.astype(numpy.int64)).sum()))

scan = GenericScanKernel(context, numpy.int32, arguments="int *x, int *y",
                         input_expr="x[i]", scan_expr="a + b", neutral="0",
                         output_statement="y[i] = item;")
scan(a, out, queue=queue)
print("scan", bool((out.get() == numpy.cumsum(numbers)).all()))

sort = RadixSort(context, "int *keys", key_expr="keys[i]", sort_arg_names=["keys"])
(ordered,), _ = sort(a, key_bits=16)
print("sort", bool((ordered.get() == numpy.sort(numbers)).all()))
