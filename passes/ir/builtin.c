/* SPDX-License-Identifier: Apache-2.0 */
#include "builtin.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct row {
	const char *name;
	enum builtin_class class;
	const char *what;
};

/*
 * OpenCL C functions that touch memory or act on it.
 *
 * class  ATOMIC      reads and writes what its first argument points to
 *        ATOMIC_COMPARE the same; also reads what its second argument points to, and writes there
 *                    when it fails
 *        INIT        writes what its first argument points to
 *        LOAD        vloadN: a vector from the pointer in its second argument
 *        STORE       vstoreN: its first argument to the pointer in its third
 *        RESULT      writes further results to where its arguments that are pointers point
 *        COPY        copies from its second argument to its first, a work-group together; of two
 *                    pointers to global and local memory the strided is the global one
 *        PREFETCH    asks for as many elements from its first argument as its second says
 *        BARRIER     holds the work-group together
 *        BARRIER_FULL the same, and orders all memories
 *        COLLECTIVE  holds the work-group together and orders nothing
 *        FENCE       orders accesses
 *        WAIT        for copies; takes its events by private pointer, as the libraries have it
 *        NOTHING     touches no memory, whatever its attributes say
 *        PASSED      touches memory and is not recorded: named as `what`, unless it is ""
 *        EFFECT      a launch may not be repeated for it; PASSED too, unless `what` is ""
 *
 * Of LOAD and STORE the name is without the number of elements and the rounding mode. All that
 * cuda_library.cl has as warpline_cuda_atomic_... is the one row of that name: calls of it are
 * marked, and what it does inside never is, because it is linked when the probes are in. A declared
 * function that is neither here nor free of side effects is "call of NAME".
 */
static const struct row rows[] = {
	{ "atomic_add", BUILTIN_ATOMIC, "" },
	{ "atomic_sub", BUILTIN_ATOMIC, "" },
	{ "atomic_xchg", BUILTIN_ATOMIC, "" },
	{ "atomic_inc", BUILTIN_ATOMIC, "" },
	{ "atomic_dec", BUILTIN_ATOMIC, "" },
	{ "atomic_cmpxchg", BUILTIN_ATOMIC, "" },
	{ "atomic_min", BUILTIN_ATOMIC, "" },
	{ "atomic_max", BUILTIN_ATOMIC, "" },
	{ "atomic_and", BUILTIN_ATOMIC, "" },
	{ "atomic_or", BUILTIN_ATOMIC, "" },
	{ "atomic_xor", BUILTIN_ATOMIC, "" },
	{ "atom_add", BUILTIN_ATOMIC, "" },
	{ "atom_sub", BUILTIN_ATOMIC, "" },
	{ "atom_xchg", BUILTIN_ATOMIC, "" },
	{ "atom_inc", BUILTIN_ATOMIC, "" },
	{ "atom_dec", BUILTIN_ATOMIC, "" },
	{ "atom_cmpxchg", BUILTIN_ATOMIC, "" },
	{ "atom_min", BUILTIN_ATOMIC, "" },
	{ "atom_max", BUILTIN_ATOMIC, "" },
	{ "atom_and", BUILTIN_ATOMIC, "" },
	{ "atom_or", BUILTIN_ATOMIC, "" },
	{ "atom_xor", BUILTIN_ATOMIC, "" },
	{ "atomic_init", BUILTIN_INIT, "" },
	{ "atomic_load", BUILTIN_ATOMIC, "" },
	{ "atomic_load_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_store", BUILTIN_ATOMIC, "" },
	{ "atomic_store_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_exchange", BUILTIN_ATOMIC, "" },
	{ "atomic_exchange_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_compare_exchange_strong", BUILTIN_ATOMIC_COMPARE, "" },
	{ "atomic_compare_exchange_strong_explicit", BUILTIN_ATOMIC_COMPARE, "" },
	{ "atomic_compare_exchange_weak", BUILTIN_ATOMIC_COMPARE, "" },
	{ "atomic_compare_exchange_weak_explicit", BUILTIN_ATOMIC_COMPARE, "" },
	{ "atomic_fetch_add", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_add_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_sub", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_sub_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_or", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_or_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_xor", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_xor_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_and", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_and_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_min", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_min_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_max", BUILTIN_ATOMIC, "" },
	{ "atomic_fetch_max_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_flag_test_and_set", BUILTIN_ATOMIC, "" },
	{ "atomic_flag_test_and_set_explicit", BUILTIN_ATOMIC, "" },
	{ "atomic_flag_clear", BUILTIN_ATOMIC, "" },
	{ "atomic_flag_clear_explicit", BUILTIN_ATOMIC, "" },
	{ "warpline_cuda_atomic", BUILTIN_ATOMIC, "" },
	{ "warpline_cuda_clock", BUILTIN_PASSED, "" },
	{ "warpline_cuda_prefetch", BUILTIN_PREFETCH, "" },
	{ "warpline_cuda_fence", BUILTIN_FENCE, "" },
	{ "warpline_cuda_trap", BUILTIN_PASSED, "" },
	{ "warpline_cuda_sync", BUILTIN_NOTHING, "" },
	{ "warpline_cuda_group_sync", BUILTIN_BARRIER_FULL, "" },
	{ "vload", BUILTIN_LOAD, "" },
	{ "vload_half", BUILTIN_LOAD, "" },
	{ "vloada_half", BUILTIN_LOAD, "" },
	{ "vstore", BUILTIN_STORE, "" },
	{ "vstore_half", BUILTIN_STORE, "" },
	{ "vstorea_half", BUILTIN_STORE, "" },
	{ "fract", BUILTIN_RESULT, "" },
	{ "frexp", BUILTIN_RESULT, "" },
	{ "lgamma_r", BUILTIN_RESULT, "" },
	{ "modf", BUILTIN_RESULT, "" },
	{ "remquo", BUILTIN_RESULT, "" },
	{ "sincos", BUILTIN_RESULT, "" },
	{ "barrier", BUILTIN_BARRIER, "" },
	{ "work_group_barrier", BUILTIN_BARRIER, "" },
	{ "mem_fence", BUILTIN_FENCE, "" },
	{ "read_mem_fence", BUILTIN_FENCE, "" },
	{ "write_mem_fence", BUILTIN_FENCE, "" },
	{ "atomic_work_item_fence", BUILTIN_FENCE, "" },
	{ "work_group_all", BUILTIN_COLLECTIVE, "" },
	{ "work_group_any", BUILTIN_COLLECTIVE, "" },
	{ "work_group_broadcast", BUILTIN_COLLECTIVE, "" },
	{ "work_group_reduce_add", BUILTIN_COLLECTIVE, "" },
	{ "work_group_reduce_min", BUILTIN_COLLECTIVE, "" },
	{ "work_group_reduce_max", BUILTIN_COLLECTIVE, "" },
	{ "work_group_scan_exclusive_add", BUILTIN_COLLECTIVE, "" },
	{ "work_group_scan_exclusive_min", BUILTIN_COLLECTIVE, "" },
	{ "work_group_scan_exclusive_max", BUILTIN_COLLECTIVE, "" },
	{ "work_group_scan_inclusive_add", BUILTIN_COLLECTIVE, "" },
	{ "work_group_scan_inclusive_min", BUILTIN_COLLECTIVE, "" },
	{ "work_group_scan_inclusive_max", BUILTIN_COLLECTIVE, "" },
	{ "async_work_group_copy", BUILTIN_COPY, "" },
	{ "async_work_group_strided_copy", BUILTIN_COPY, "" },
	{ "wait_group_events", BUILTIN_WAIT, "" },
	{ "prefetch", BUILTIN_PREFETCH, "" },
	{ "__to_global", BUILTIN_NOTHING, "" },
	{ "__to_local", BUILTIN_NOTHING, "" },
	{ "__to_private", BUILTIN_NOTHING, "" },
	{ "sub_group_barrier", BUILTIN_PASSED, "sub_group_barrier" },
	{ "read_imagef", BUILTIN_PASSED, "image read" },
	{ "read_imagei", BUILTIN_PASSED, "image read" },
	{ "read_imageui", BUILTIN_PASSED, "image read" },
	{ "read_imageh", BUILTIN_PASSED, "image read" },
	{ "write_imagef", BUILTIN_EFFECT, "image write" },
	{ "write_imagei", BUILTIN_EFFECT, "image write" },
	{ "write_imageui", BUILTIN_EFFECT, "image write" },
	{ "write_imageh", BUILTIN_EFFECT, "image write" },
	{ "__read_pipe_2", BUILTIN_EFFECT, "pipe read" },
	{ "__read_pipe_4", BUILTIN_EFFECT, "pipe read" },
	{ "__write_pipe_2", BUILTIN_EFFECT, "pipe write" },
	{ "__write_pipe_4", BUILTIN_EFFECT, "pipe write" },
	{ "__reserve_read_pipe", BUILTIN_EFFECT, "pipe read" },
	{ "__reserve_write_pipe", BUILTIN_EFFECT, "pipe write" },
	{ "__commit_read_pipe", BUILTIN_EFFECT, "" },
	{ "__commit_write_pipe", BUILTIN_EFFECT, "" },
	{ "__work_group_reserve_read_pipe", BUILTIN_EFFECT, "pipe read" },
	{ "__work_group_reserve_write_pipe", BUILTIN_EFFECT, "pipe write" },
	{ "__work_group_commit_read_pipe", BUILTIN_EFFECT, "" },
	{ "__work_group_commit_write_pipe", BUILTIN_EFFECT, "" },
	{ "__sub_group_reserve_read_pipe", BUILTIN_EFFECT, "pipe read" },
	{ "__sub_group_reserve_write_pipe", BUILTIN_EFFECT, "pipe write" },
	{ "__sub_group_commit_read_pipe", BUILTIN_EFFECT, "" },
	{ "__sub_group_commit_write_pipe", BUILTIN_EFFECT, "" },
	{ "__get_pipe_num_packets_ro", BUILTIN_NOTHING, "" },
	{ "__get_pipe_num_packets_wo", BUILTIN_NOTHING, "" },
	{ "__get_pipe_max_packets_ro", BUILTIN_NOTHING, "" },
	{ "__get_pipe_max_packets_wo", BUILTIN_NOTHING, "" },
	{ "get_global_linear_id", BUILTIN_NOTHING, "" },
	{ "get_local_linear_id", BUILTIN_NOTHING, "" },
	{ "get_enqueued_local_size", BUILTIN_NOTHING, "" },
	{ "get_sub_group_size", BUILTIN_NOTHING, "" },
	{ "get_max_sub_group_size", BUILTIN_NOTHING, "" },
	{ "get_num_sub_groups", BUILTIN_NOTHING, "" },
	{ "get_enqueued_num_sub_groups", BUILTIN_NOTHING, "" },
	{ "get_sub_group_id", BUILTIN_NOTHING, "" },
	{ "get_sub_group_local_id", BUILTIN_NOTHING, "" },
	{ "__enqueue_kernel_basic", BUILTIN_EFFECT, "device-side enqueue" },
	{ "__enqueue_kernel_basic_events", BUILTIN_EFFECT, "device-side enqueue" },
	{ "__enqueue_kernel_varargs", BUILTIN_EFFECT, "device-side enqueue" },
	{ "__enqueue_kernel_events_varargs", BUILTIN_EFFECT, "device-side enqueue" },
	{ "enqueue_marker", BUILTIN_EFFECT, "device-side enqueue" },
	{ "printf", BUILTIN_EFFECT, "" },
};

/*
 * What CUDA's device code calls that touches memory or acts
 * on it: as above, of intrinsics and of functions that the driver has. A name that ends in
 * '*' stands for all that begin so; the first row that fits counts.
 *
 * class  READ   reads a value of the type of its result from where its first argument points
 *        ATOMIC reads and writes one there
 *        the others as above
 */
static const struct row nvvm_rows[] = {
	{ "llvm.nvvm.ldg.global.*", BUILTIN_READ, "" },
	{ "llvm.nvvm.ldu.global.*", BUILTIN_READ, "" },
	{ "llvm.nvvm.atomic.*", BUILTIN_ATOMIC, "" },
	{ "llvm.nvvm.barrier0", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.barrier0.*", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.barrier.cta.*", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.barrier", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.barrier.n", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.barrier.sync", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.barrier.sync.*", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.bar.sync", BUILTIN_BARRIER, "" },
	{ "llvm.nvvm.membar.*", BUILTIN_FENCE, "" },
	{ "llvm.nvvm.tex.*", BUILTIN_PASSED, "texture read" },
	{ "llvm.nvvm.tld4.*", BUILTIN_PASSED, "texture read" },
	{ "llvm.nvvm.suld.*", BUILTIN_PASSED, "surface read" },
	{ "llvm.nvvm.sust.*", BUILTIN_EFFECT, "surface write" },
	{ "llvm.nvvm.cp.async.commit*", BUILTIN_NOTHING, "" },
	{ "llvm.nvvm.cp.async.wait*", BUILTIN_NOTHING, "" },
	{ "llvm.nvvm.cp.async.*", BUILTIN_PASSED, "cp.async" },
	{ "llvm.nvvm.wmma.*", BUILTIN_PASSED, "wmma load or store" },
	{ "llvm.nvvm.ldmatrix.*", BUILTIN_PASSED, "ldmatrix" },
	{ "vprintf", BUILTIN_EFFECT, "" },
	{ "__assertfail", BUILTIN_EFFECT, "" },
	{ "malloc", BUILTIN_EFFECT, "" },
	{ "free", BUILTIN_EFFECT, "" },
	{ "__nv_frexp*", BUILTIN_RESULT, "" },
	{ "__nv_modf*", BUILTIN_RESULT, "" },
	{ "__nv_remquo*", BUILTIN_RESULT, "" },
	{ "__nv_sincos*", BUILTIN_RESULT, "" },
	{ "__nv_fast_sincos*", BUILTIN_RESULT, "" },
	{ "__nv_*", BUILTIN_NOTHING, "" },
};

const char *builtin_source_name(const char *symbol, size_t *length)
{
	size_t count = 0;
	const char *p = symbol;

	*length = strlen(symbol);
	if (strncmp(symbol, "_Z", 2) != 0 || !isdigit((unsigned char)symbol[2]))
		return symbol;
	for (p += 2; isdigit((unsigned char)*p) && count < *length; p++)
		count = count * 10 + (size_t)(*p - '0');
	if (count > strlen(p))
		return symbol;
	*length = count;
	return p;
}

static const struct row *find_row(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == length && !memcmp(rows[i].name, name, length))
			return &rows[i];
	return NULL;
}

/* A name that ends in '*' is the beginning of many. */
static const struct row *find_nvvm_row(const char *symbol)
{
	for (size_t i = 0; i < sizeof(nvvm_rows) / sizeof(nvvm_rows[0]); i++) {
		size_t length = strcspn(nvvm_rows[i].name, "*");

		if (!strncmp(symbol, nvvm_rows[i].name, length) &&
		    (nvvm_rows[i].name[length] || !symbol[length]))
			return &nvvm_rows[i];
	}
	return NULL;
}

/* Cut "_rte" and the like off the end. */
static size_t without_rounding(const char *name, size_t length)
{
	static const char modes[] = "enpz";

	if (length > 4 && !memcmp(name + length - 4, "_rt", 3) &&
	    memchr(modes, name[length - 1], sizeof(modes) - 1))
		return length - 4;
	return length;
}

/* Cut the number of elements off the end and return it; 1 when there is none. */
static uint32_t cut_lanes(const char *name, size_t *length)
{
	size_t end = *length;
	uint32_t lanes = 0;

	while (*length > 0 && isdigit((unsigned char)name[*length - 1]))
		--*length;
	if (end - *length > 2)
		return 1;
	for (size_t i = *length; i < end; i++)
		lanes = lanes * 10 + (uint32_t)(name[i] - '0');
	return lanes ? lanes : 1;
}

/* The row of all atomics of cuda_library.cl. */
static size_t without_type(const char *name, size_t length)
{
	static const char begin[] = "warpline_cuda_atomic";

	if (length > strlen(begin) && !memcmp(name, begin, strlen(begin)) &&
	    name[strlen(begin)] == '_')
		return strlen(begin);
	return length;
}

struct builtin builtin_find(const char *symbol)
{
	struct builtin b = { .class = BUILTIN_NONE, .what = "", .lanes = 1, .stride = 1 };
	size_t length;
	const char *name = builtin_source_name(symbol, &length);
	const struct row *row = find_row(name, without_type(name, length));

	if (!row && length > 5 && (!memcmp(name, "vload", 5) || !memcmp(name, "vstor", 5))) {
		bool is_aligned = name[5] == 'a' || (name[5] == 'e' && name[6] == 'a');

		length = without_rounding(name, length);
		b.lanes = cut_lanes(name, &length);
		b.stride = is_aligned && b.lanes == 3 ? 4 : b.lanes;
		row = find_row(name, length);
	}
	if (!row)
		row = find_nvvm_row(symbol);
	if (row) {
		b.class = row->class;
		b.what = row->what;
	}
	return b;
}
