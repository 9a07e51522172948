/* SPDX-License-Identifier: Apache-2.0 */
#include "svm_hold.h"

#include "array.h"
#include "engine.h"
#include "opencl_session.h"
#include "session_memory.h"

void *shared_memory_alloc(const struct engine *e, enum pointer_call sort, size_t bytes)
{
	const struct opencl_real *real = opencl_real();
	const struct opencl_ext *ext = opencl_ext_of(e->context);

	switch (sort) {
	case POINTER_BY_SVM:
		return real->clSVMAlloc ? real->clSVMAlloc(e->context, CL_MEM_READ_WRITE, bytes, 0)
		                        : NULL;
	case POINTER_BY_ARM:
		return ext->clSVMAllocARM
		               ? ext->clSVMAllocARM(e->context, CL_MEM_READ_WRITE, bytes, 0)
		               : NULL;
	case POINTER_BY_USM:
		return ext->clDeviceMemAllocINTEL
		               ? ext->clDeviceMemAllocINTEL(e->context, e->device, NULL, bytes, 0,
		                                            NULL)
		               : NULL;
	case POINTER_BY_NONE:
		break;
	}
	return NULL;
}

void shared_memory_free(cl_context context, enum pointer_call sort, void *memory)
{
	const struct opencl_ext *ext = opencl_ext_of(context);

	if (!memory)
		return;
	if (sort == POINTER_BY_SVM)
		opencl_real()->clSVMFree(context, memory);
	else if (sort == POINTER_BY_ARM)
		ext->clSVMFreeARM(context, memory);
	else if (sort == POINTER_BY_USM)
		ext->clMemFreeINTEL(context, memory);
}

cl_int shared_memory_copy(const struct engine *e, enum pointer_call sort, void *to,
                          const void *from, size_t bytes)
{
	const struct opencl_ext *ext = opencl_ext_of(e->context);

	if (sort == POINTER_BY_SVM)
		return opencl_real()->clEnqueueSVMMemcpy(e->queue, CL_FALSE, to, from, bytes, 0,
		                                         NULL, NULL);
	if (sort == POINTER_BY_ARM && ext->clEnqueueSVMMemcpyARM)
		return ext->clEnqueueSVMMemcpyARM(e->queue, CL_FALSE, to, from, bytes, 0, NULL,
		                                  NULL);
	if (sort == POINTER_BY_USM && ext->clEnqueueMemcpyINTEL)
		return ext->clEnqueueMemcpyINTEL(e->queue, CL_FALSE, to, from, bytes, 0, NULL,
		                                 NULL);
	return CL_INVALID_OPERATION;
}

cl_int shared_memory_set_argument(enum pointer_call sort, cl_kernel kernel, cl_uint index,
                                  const void *pointer)
{
	const struct opencl_ext *ext = opencl_ext_of(kernel);

	if (sort == POINTER_BY_SVM)
		return opencl_real()->clSetKernelArgSVMPointer(kernel, index, pointer);
	if (sort == POINTER_BY_ARM && ext->clSetKernelArgSVMPointerARM)
		return ext->clSetKernelArgSVMPointerARM(kernel, index, pointer);
	if (sort == POINTER_BY_USM && ext->clSetKernelArgMemPointerINTEL)
		return ext->clSetKernelArgMemPointerINTEL(kernel, index, pointer);
	return CL_INVALID_OPERATION;
}

cl_int shared_memory_set_fact(cl_kernel kernel, const struct kernel_fact *fact)
{
	const struct opencl_ext *ext = opencl_ext_of(kernel);

	if (fact->name != CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM &&
	    fact->name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM)
		return opencl_real()->clSetKernelExecInfo(kernel, fact->name, fact->bytes,
		                                          fact->data);
	return ext->clSetKernelExecInfoARM
	               ? ext->clSetKernelExecInfoARM(kernel, fact->name, fact->bytes, fact->data)
	               : CL_INVALID_OPERATION;
}

#define LIMIT_ALLOCATIONS (1u << 24)

/* An allocation that pending launches use. */
struct svm_hold {
	const void *memory;
	uint32_t holders;
	struct svm_owned owned; /* memory not NULL: to be freed when nothing holds it */
};

void svm_hold_init(struct session *s)
{
	array_init(&opencl_session(s)->svm_holds, sizeof(struct svm_hold), LIMIT_ALLOCATIONS,
	           "SVM in use");
	pthread_cond_init(&opencl_session(s)->svm_released, NULL);
}

void svm_hold_release(struct session *s)
{
	array_release(&opencl_session(s)->svm_holds);
	pthread_cond_destroy(&opencl_session(s)->svm_released);
}

/* Called with the session's lock held. */
static struct svm_hold *find_hold(const struct session *s, const void *memory)
{
	struct svm_hold *holds = opencl_session(s)->svm_holds.data;

	for (size_t i = 0; i < opencl_session(s)->svm_holds.count; i++)
		if (holds[i].memory == memory)
			return &holds[i];
	return NULL;
}

bool svm_hold_begin(struct session *s, const void *address, void **begin)
{
	struct address_range range;
	struct svm_hold *hold = NULL;
	bool is_known;

	*begin = NULL;
	session_lock(s);
	is_known = session_memory_find(s, (uint64_t)(uintptr_t)address, &range);
	if (is_known) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): the recording has it as a number */
		*begin = (void *)(uintptr_t)range.address;
		hold = find_hold(s, *begin);
		if (!hold)
			hold = array_push(&opencl_session(s)->svm_holds, 1, NULL);
	}
	if (hold) {
		hold->memory = *begin;
		hold->holders++;
	}
	session_unlock(s);
	return hold || !is_known;
}

void svm_hold_end(struct session *s, const void *begin)
{
	struct svm_owned owned = { .memory = NULL };
	struct svm_hold *hold, *last;

	session_lock(s);
	hold = find_hold(s, begin);
	if (hold && --hold->holders == 0) {
		owned = hold->owned;
		last = (struct svm_hold *)opencl_session(s)->svm_holds.data +
		       --opencl_session(s)->svm_holds.count;
		*hold = *last;
		pthread_cond_broadcast(&opencl_session(s)->svm_released);
	}
	session_unlock(s);
	if (!owned.memory)
		return;
	shared_memory_free(owned.context, owned.call, owned.memory);
	opencl_real()->clReleaseContext(owned.context);
}

bool svm_hold_defer_free(struct session *s, const struct svm_owned *owned)
{
	struct svm_hold *hold;

	if (opencl_real()->clRetainContext(owned->context) != CL_SUCCESS)
		return false;
	session_lock(s);
	hold = find_hold(s, owned->memory);
	if (hold)
		hold->owned = *owned;
	session_unlock(s);
	if (!hold)
		opencl_real()->clReleaseContext(owned->context);
	return hold;
}

void svm_hold_wait(struct session *s, const void *memory)
{
	session_lock(s);
	while (find_hold(s, memory))
		pthread_cond_wait(&opencl_session(s)->svm_released, &s->lock);
	session_unlock(s);
}
