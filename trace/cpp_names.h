/*
 * cpp_names - the names of C++ kernels as their authors wrote them, from their mangled names.
 *
 * It uses the demangler of the C++ runtime if the program is linked with one. The recorder is not,
 * and leaves names unchanged.
 */
#ifndef CPP_NAMES_H
#define CPP_NAMES_H

#include <stddef.h>

struct kernel_table;
struct recorded_kernel;

/*
 * Returns "ns::reduce<int, 256u>" for "_ZN2ns6reduceIiLj256EEEvPT_", without the return type and,
 * unless `is_full`, the parameters; on the heap. NULL for a name that is not mangled or that could
 * grow out of proportion, and when out of memory.
 */
char *cpp_name(const char *symbol, int is_full);

/*
 * Demangle the names of kernels and keep the mangled ones as their symbols. Kernels of one program
 * that would have the same name get their parameters too.
 */
void cpp_names_apply(struct recorded_kernel *kernels, size_t count);

/*
 * Guess names for pointer arguments that have none, or PTX's NAME_param_N. The name is the word
 * with which all expressions of their accesses begin ("in" in "in[y * width + x]", "sums" in
 * "atomicAdd(&sums[i], 1)"), if they agree and no other argument has it. A pointer that the kernel
 * copied gets the name of the copy. Returns 0 or ERR_NOMEM.
 */
int cpp_names_guess_arguments(struct kernel_table *t);

#endif
