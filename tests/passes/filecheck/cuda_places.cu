// Sites of inlined code say where it is written and through which calls it came; methods and templates
// have names.
struct view {
	const float *p;
	__device__ float get(int i) const
	{
		return p[i];
	}
};

template <class T> __device__ T twice(const T *q, int i)
{
	return 2 * q[i];
}

extern "C" __global__ void places(view v, float *out)
{
	auto next = [&](int j) { return out[j + 1]; };

	out[threadIdx.x] = v.get(1) + twice(out, 2) + next(3);
}

// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":-1,"place":["cuda_places.cu",7,10],"inlined_at":{{\[\[}}"cuda_places.cu",20,23]],"expression":"p[i]","function":"get"}
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["cuda_places.cu",13,13],"inlined_at":{{\[\[}}"cuda_places.cu",20,32]],"expression":"q[i]","function":"twice"}
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["cuda_places.cu",18,34],"inlined_at":{{\[\[}}"cuda_places.cu",20,48]],"expression":"out[j + 1]","function":"places"}
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":1,"place":["cuda_places.cu",20,19],"inlined_at":[],"expression":"out[threadIdx.x]","function":"places"}
