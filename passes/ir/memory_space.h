/*
 * memory_space - which memory (enum address_space of site.h) an address space of a module is, and
 * the other way round: SPIR and NVPTX number them differently. Everything else asks here.
 *
 * In an NVPTX module pointers are generic wherever the language has no qualifier for them: what is
 * known of a value beyond its type is known here too (variables on the stack are private, what a
 * kernel's caller hands it points to global memory, but a structure handed by value is private).
 * What the compiler keeps in constants of its own is constant memory, wherever it lies.
 */
#ifndef MEMORY_SPACE_H
#define MEMORY_SPACE_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;

/* Whether the module is device code as CUDA has it, for NVPTX. */
bool memory_space_is_nvptx(LLVMModuleRef module);

/* The number of a memory in the module's types. */
unsigned memory_space_number(LLVMModuleRef module, unsigned space);

/* The memory of a pointer type, an enum address_space; a number that names none is SPACE_PRIVATE in
 * an NVPTX module and stays unchanged in a SPIR one. */
unsigned memory_space_of_type(LLVMModuleRef module, LLVMTypeRef pointer);

/* The memory that a pointer points into: by its type, or by what it is. */
unsigned memory_space_of(LLVMModuleRef module, LLVMValueRef pointer);

/* The pointer as one into a memory that it is known to point into, at the builder. */
LLVMValueRef memory_space_cast(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef pointer,
                               unsigned space);

/* Whether a cast to another address space leaves the number unchanged: in NVPTX, where a generic
 * pointer to global memory is that to it. */
bool memory_space_is_kept_by(LLVMValueRef cast);

/* The structure that an argument is handed by value, whose pointer is the parameter itself; NULL
 * for any other argument. */
LLVMTypeRef memory_space_by_value(LLVMValueRef argument);

/*
 * Which memories are recorded, as bits: bit n for address space n of kernel_table.h. Local memory
 * may be recorded in all groups of a launch, or in a sample of them (launch_shape.h).
 */

#define SPACE_SET_SAMPLE 31u /* the bit of a sample */

/*
 * Global memory, what generic pointers may point to, and what `list` adds: "constant", "local",
 * "sample" (local memory of a sample, where not of all), "all", "global" (nothing), with commas
 * between them; NULL or "": nothing. Returns 0, or ERR_USAGE for another word.
 */
int space_set_parse(const char *list, uint32_t *spaces, struct err *err);

/* Whether local memory is recorded in a sample of groups alone. */
bool space_set_samples(uint32_t spaces);

/* Whether a set holds an address space, if only in a sample. */
bool space_set_has(uint32_t spaces, unsigned space);

#endif
