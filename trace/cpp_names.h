/*
 * cpp_names - names of kernels as their authors wrote them, of those that C++ mangled.
 *
 * By the demangler of the C++ runtime, where the program is linked with one: the recorder is not,
 * and leaves names as they are.
 */
#ifndef CPP_NAMES_H
#define CPP_NAMES_H

#include <stddef.h>

struct kernel_table;
struct recorded_kernel;

/*
 * "ns::reduce<int, 256u>" of "_ZN2ns6reduceIiLj256EEEvPT_", without the type of what it returns and
 * without its parameters unless `is_full`, on the heap. NULL for what is not mangled, for names
 * whose text could grow out of proportion, and when out of memory.
 */
char *cpp_name(const char *symbol, int is_full);

/*
 * Name the kernels that are mangled, and keep what they were called as their symbols. Kernels of
 * one program that then have the same name get their parameters too.
 */
void cpp_names_apply(struct recorded_kernel *kernels, size_t count);

/*
 * Name the pointer arguments of a kernel that came without names, or as PTX's NAME_param_N: by the
 * word with which every expression of their accesses begins, "in" of "in[y * width + x]", "sums"
 * of "atomicAdd(&sums[i], 1)", when they all have the same, and no other argument has it. A pointer
 * that the kernel copied has the name of the copy. Returns 0 or ERR_NOMEM.
 */
int cpp_names_guess_arguments(struct kernel_table *t);

#endif
