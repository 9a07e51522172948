/*
 * program - what the steps of warpline-instrument pass on: a module and, once known, its kernels.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "kernel_flow.h"
#include "kernel_table.h"
#include "settings.h"

#include <llvm-c/Core.h>

struct cuda_table;
struct err;

struct kernel {
	LLVMValueRef function;
	struct kernel_flow flow;    /* once the code is clean */
	struct kernel_table *table; /* in the program's array */
	LLVMValueRef *marks;        /* per site: the mark before it (mark.h) */
	int32_t *table_loop;        /* per loop of the flow: its number in the table, or -1 */
	LLVMValueRef in_sample;     /* an i1: the group is in the sample; NULL: no sample */
	LLVMBasicBlockRef choice;   /* for copy_samples(), or NULL */
};

struct program {
	const struct settings *settings;
	uint32_t spaces; /* the memories that are recorded (memory_space.h) */
	LLVMContextRef context;
	LLVMModuleRef module;
	struct kernel *kernels;
	struct kernel_table *tables; /* tables[i] belongs to kernels[i] */
	size_t kernel_count;
	LLVMMemoryBufferRef device; /* of device_module_keep(), or NULL; owned */
	struct cuda_table *cuda;    /* of a program that was CUDA, or NULL; owned */
	bool keeps_flows;           /* the control flow of some kernel must not change */
};

/* Start an empty program; release with program_release(). Returns 0, ERR_USAGE or ERR_NOMEM. */
int program_init(struct program *p, const struct settings *settings, struct err *err);

/* Free everything. Accepts a zeroed program. */
void program_release(struct program *p);

/*
 * Find the kernels of p->module. Returns 0, ERR_NOMEM, or ERR_UNSUPPORTED when there is no kernel.
 */
int program_find_kernels(struct program *p, struct err *err);

/* Whether a function has a kernel's calling convention, SPIR's or NVPTX's. */
bool program_is_kernel(LLVMValueRef function);

/* Whether the module was CUDA: the named metadata `warpline.cuda` is present. */
bool program_is_cuda(const struct program *p);

/* Run LLVM passes over the module, given by their names in opt. Returns 0 or ERR_UNSUPPORTED. */
int program_run_passes(struct program *p, const char *passes, struct err *err);

#endif
