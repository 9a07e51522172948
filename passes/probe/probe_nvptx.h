/*
 * probe_nvptx - NVPTX's replacement for what probe.cl uses of OpenCL C: work-item functions from
 * special registers, atomics from the compiler. Launches have no offset there, and groups are full.
 */
#ifndef PROBE_NVPTX_H
#define PROBE_NVPTX_H

#define SREG_OF(name, d)                                                                           \
	((ulong)((d) == 0   ? __nvvm_read_ptx_sreg_##name##_x()                                    \
	         : (d) == 1 ? __nvvm_read_ptx_sreg_##name##_y()                                    \
	                    : __nvvm_read_ptx_sreg_##name##_z()))

#define get_local_id(d)      SREG_OF(tid, d)
#define get_local_size(d)    SREG_OF(ntid, d)
#define get_group_id(d)      SREG_OF(ctaid, d)
#define get_num_groups(d)    SREG_OF(nctaid, d)
#define get_global_offset(d) 0ul
#define get_global_id(d)     (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define get_global_size(d)   (get_num_groups(d) * get_local_size(d))

#define atomic_inc(p)              __sync_fetch_and_add(p, 1u)
#define atomic_add(p, value)       __sync_fetch_and_add(p, value)
#define atomic_or(p, value)        __sync_fetch_and_or(p, value)
#define atomic_xchg(p, value)      __sync_lock_test_and_set(p, value)
#define atomic_cmpxchg(p, old, to) __sync_val_compare_and_swap(p, old, to)
#define mem_fence(flags)           __nvvm_membar_gl()

#endif
