/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_atomics.cuh - atomicAdd and its kind for every type that CUDA has, device-wide;
 * with _block and _system the order is as strong, which CUDA allows. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_ATOMICS_CUH
#define WARPLINE_CUDA_ATOMICS_CUH

/* One function under its three names. `call` computes the old value from p and v. */
#define WARPLINE_ATOMIC(name, type, call)                                                          \
	static __device__ __forceinline__ type name(type *p, type v)                               \
	{                                                                                          \
		return (type)(call);                                                               \
	}                                                                                          \
	static __device__ __forceinline__ type name##_block(type *p, type v)                       \
	{                                                                                          \
		return (type)(call);                                                               \
	}                                                                                          \
	static __device__ __forceinline__ type name##_system(type *p, type v)                      \
	{                                                                                          \
		return (type)(call);                                                               \
	}

WARPLINE_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicAdd, unsigned int, __nvvm_atom_add_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicAdd, long, __nvvm_atom_add_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAdd, unsigned long, __nvvm_atom_add_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAdd, long long, __nvvm_atom_add_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAdd, unsigned long long, __nvvm_atom_add_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(p, v))
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600 /* programs bring their own before */
WARPLINE_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d(p, v))
#endif

WARPLINE_ATOMIC(atomicSub, int, __nvvm_atom_sub_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicSub, unsigned int, __nvvm_atom_sub_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicSub, long, __nvvm_atom_sub_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicSub, unsigned long, __nvvm_atom_sub_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicSub, long long, __nvvm_atom_sub_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicSub, unsigned long long, __nvvm_atom_sub_gen_ll((long long *)p, (long long)v))

WARPLINE_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicExch, unsigned int, __nvvm_atom_xchg_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicExch, long, __nvvm_atom_xchg_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicExch, unsigned long, __nvvm_atom_xchg_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicExch, long long, __nvvm_atom_xchg_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicExch, unsigned long long,
                __nvvm_atom_xchg_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicExch, float,
                __int_as_float(__nvvm_atom_xchg_gen_i((int *)p, __float_as_int(v))))
WARPLINE_ATOMIC(atomicExch, double,
                __longlong_as_double(__nvvm_atom_xchg_gen_ll((long long *)p,
                                                             __double_as_longlong(v))))

WARPLINE_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicAnd, unsigned int, __nvvm_atom_and_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicAnd, long, __nvvm_atom_and_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAnd, unsigned long, __nvvm_atom_and_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAnd, long long, __nvvm_atom_and_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicAnd, unsigned long long, __nvvm_atom_and_gen_ll((long long *)p, (long long)v))

WARPLINE_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicOr, unsigned int, __nvvm_atom_or_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicOr, long, __nvvm_atom_or_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicOr, unsigned long, __nvvm_atom_or_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicOr, long long, __nvvm_atom_or_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicOr, unsigned long long, __nvvm_atom_or_gen_ll((long long *)p, (long long)v))

WARPLINE_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicXor, unsigned int, __nvvm_atom_xor_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicXor, long, __nvvm_atom_xor_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicXor, unsigned long, __nvvm_atom_xor_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicXor, long long, __nvvm_atom_xor_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicXor, unsigned long long, __nvvm_atom_xor_gen_ll((long long *)p, (long long)v))

WARPLINE_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui((unsigned int *)p, (unsigned int)v))
WARPLINE_ATOMIC(atomicMin, long, __nvvm_atom_min_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicMin, unsigned long,
                __nvvm_atom_min_gen_ull((unsigned long long *)p, (unsigned long long)v))
WARPLINE_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicMin, unsigned long long,
                __nvvm_atom_min_gen_ull((unsigned long long *)p, (unsigned long long)v))

WARPLINE_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i((int *)p, (int)v))
WARPLINE_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui((unsigned int *)p, (unsigned int)v))
WARPLINE_ATOMIC(atomicMax, long, __nvvm_atom_max_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicMax, unsigned long,
                __nvvm_atom_max_gen_ull((unsigned long long *)p, (unsigned long long)v))
WARPLINE_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll((long long *)p, (long long)v))
WARPLINE_ATOMIC(atomicMax, unsigned long long,
                __nvvm_atom_max_gen_ull((unsigned long long *)p, (unsigned long long)v))

WARPLINE_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui(p, v))
WARPLINE_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui(p, v))
#undef WARPLINE_ATOMIC

#define WARPLINE_ATOMIC_CAS(name, type, word, swap)                                                \
	static __device__ __forceinline__ type name(type *p, type expected, type v)                \
	{                                                                                          \
		return (type)swap((word *)p, (word)expected, (word)v);                             \
	}

#define WARPLINE_ATOMIC_CASES(type, word, swap)                                                    \
	WARPLINE_ATOMIC_CAS(atomicCAS, type, word, swap)                                           \
	WARPLINE_ATOMIC_CAS(atomicCAS_block, type, word, swap)                                     \
	WARPLINE_ATOMIC_CAS(atomicCAS_system, type, word, swap)

WARPLINE_ATOMIC_CASES(int, int, __nvvm_atom_cas_gen_i)
WARPLINE_ATOMIC_CASES(unsigned int, int, __nvvm_atom_cas_gen_i)
WARPLINE_ATOMIC_CASES(long, long long, __nvvm_atom_cas_gen_ll)
WARPLINE_ATOMIC_CASES(unsigned long, long long, __nvvm_atom_cas_gen_ll)
WARPLINE_ATOMIC_CASES(long long, long long, __nvvm_atom_cas_gen_ll)
WARPLINE_ATOMIC_CASES(unsigned long long, long long, __nvvm_atom_cas_gen_ll)
#undef WARPLINE_ATOMIC_CASES
#undef WARPLINE_ATOMIC_CAS

#endif
