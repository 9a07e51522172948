/*
 * memory_space - maps the address spaces of a module to kinds of memory (enum address_space of
 * site.h) and back. SPIR and NVPTX number them differently; all other code asks here.
 *
 * In an NVPTX module, pointers are generic wherever the language has no qualifier for them. So this
 * file also knows what a value says beyond its type: variables on the stack are private; pointers
 * passed to a kernel point to global memory; structures passed by value are private. The compiler's
 * own constants count as constant memory, wherever they are.
 */
#ifndef MEMORY_SPACE_H
#define MEMORY_SPACE_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;

/* Whether the module is CUDA device code for NVPTX. */
bool memory_space_is_nvptx(LLVMModuleRef module);

/* The module's address-space number for a kind of memory. */
unsigned memory_space_number(LLVMModuleRef module, unsigned space);

/* The memory of a pointer type, an enum address_space. A number with no meaning is SPACE_PRIVATE in
 * an NVPTX module and returned unchanged in a SPIR one. */
unsigned memory_space_of_type(LLVMModuleRef module, LLVMTypeRef pointer);

/* The memory that a pointer points into, from its type or its value. */
unsigned memory_space_of(LLVMModuleRef module, LLVMValueRef pointer);

/* Build a cast of the pointer to the memory that it is known to point into. */
LLVMValueRef memory_space_cast(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef pointer,
                               unsigned space);

/* Whether a cast to another address space keeps the number: in NVPTX, a generic pointer to global
 * memory equals the global one. */
bool memory_space_is_kept_by(LLVMValueRef cast);

/* The type of the structure that an argument passes by value, where the parameter is its pointer;
 * NULL for any other argument. */
LLVMTypeRef memory_space_by_value(LLVMValueRef argument);

/*
 * Which memories are recorded, as bits: bit n for address space n of kernel_table.h. Local memory
 * can be recorded in all groups of a launch, or in a sample of them (launch_shape.h).
 */

#define SPACE_SET_SAMPLE 31u /* bit: only a sample */

/*
 * Parse a comma-separated list: "constant", "local", "sample" (local memory of a sample of the
 * groups, unless all are recorded), "all", "global" (adds nothing); NULL or "" adds nothing. Global
 * memory, and what generic pointers may point to, is always included. Returns 0, or ERR_USAGE for
 * another word.
 */
int space_set_parse(const char *list, uint32_t *spaces, struct err *err);

/* Whether local memory is recorded in a sample of groups only. */
bool space_set_samples(uint32_t spaces);

/* Whether a set includes an address space, even if only as a sample. */
bool space_set_has(uint32_t spaces, unsigned space);

#endif
