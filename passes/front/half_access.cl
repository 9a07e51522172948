/*
 * half_access - vload_half and similar functions, which every device has.
 *
 * Inserted before programs for devices without cl_khr_fp16: there clang hides every built-in
 * function with `half` in its type, though a pointer to half needs no extension (OpenCL C 1.2,
 * 6.1.1.1).
 */
#define WARPLINE_LOAD(name, n, float_type, space)                                                  \
	float_type##n __attribute__((overloadable, pure)) name(size_t, const space half *);
#define WARPLINE_STORE(name, n, float_type, space)                                                 \
	void __attribute__((overloadable)) name(float_type##n, size_t, space half *);
#define WARPLINE_STORES(name, n, float_type, space)                                                \
	WARPLINE_STORE(name##_half##n, n, float_type, space)                                       \
	WARPLINE_STORE(name##_half##n##_rte, n, float_type, space)                                 \
	WARPLINE_STORE(name##_half##n##_rtz, n, float_type, space)                                 \
	WARPLINE_STORE(name##_half##n##_rtp, n, float_type, space)                                 \
	WARPLINE_STORE(name##_half##n##_rtn, n, float_type, space)
#define WARPLINE_WIDTHS(DO, name, float_type, space)                                               \
	DO(name, , float_type, space)                                                              \
	DO(name, 2, float_type, space)                                                             \
	DO(name, 3, float_type, space)                                                             \
	DO(name, 4, float_type, space)                                                             \
	DO(name, 8, float_type, space)                                                             \
	DO(name, 16, float_type, space)
#define WARPLINE_LOADS(name, n, float_type, space)                                                 \
	WARPLINE_LOAD(name##_half##n, n, float_type, space)
#define WARPLINE_READS(space)                                                                      \
	WARPLINE_WIDTHS(WARPLINE_LOADS, vload, float, space)                                       \
	WARPLINE_WIDTHS(WARPLINE_LOADS, vloada, float, space)
#define WARPLINE_WRITES(float_type, space)                                                         \
	WARPLINE_WIDTHS(WARPLINE_STORES, vstore, float_type, space)                                \
	WARPLINE_WIDTHS(WARPLINE_STORES, vstorea, float_type, space)
#ifdef cl_khr_fp64
#define WARPLINE_SPACE(space)                                                                      \
	WARPLINE_READS(space)                                                                      \
	WARPLINE_WRITES(float, space)                                                              \
	WARPLINE_WRITES(double, space)
#else
#define WARPLINE_SPACE(space)                                                                      \
	WARPLINE_READS(space)                                                                      \
	WARPLINE_WRITES(float, space)
#endif
WARPLINE_READS(__constant)
WARPLINE_SPACE(__global)
WARPLINE_SPACE(__local)
WARPLINE_SPACE(__private)
#if __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_generic_address_space)
WARPLINE_SPACE(__generic)
#endif
#undef WARPLINE_LOAD
#undef WARPLINE_STORE
#undef WARPLINE_STORES
#undef WARPLINE_WIDTHS
#undef WARPLINE_LOADS
#undef WARPLINE_READS
#undef WARPLINE_WRITES
#undef WARPLINE_SPACE
