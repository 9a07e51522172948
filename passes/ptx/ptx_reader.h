/*
 * ptx_reader - reads PTX into an LLVM module for nvptx64, in the form in which clang generates CUDA
 * device code; docs/ptx.md lists what is supported.
 *
 * Kernels are marked in !nvvm.annotations; device functions are inlined; addresses that come from a
 * parameter or a variable are pointers (ptx_pointers.c). A kernel that uses something unsupported
 * has the attribute "warpline-refusal"="the reason" and an empty body.
 */
#ifndef PTX_READER_H
#define PTX_READER_H

#include <llvm-c/Types.h>

#define PTX_TEXT_LIMIT_BYTES  (256u << 20)
#define PTX_REFUSAL_ATTRIBUTE "warpline-refusal"

struct err;
struct str;

/*
 * Read the file at `path` into a new module of `context`, which the caller disposes of. Source
 * positions of PTX without .loc use the file name `name` (NULL: path). Returns 0; ERR_IO;
 * ERR_FORMAT for invalid PTX, with its line; ERR_LIMIT; ERR_NOMEM. On failure *module is NULL.
 */
int ptx_reader_run(LLVMContextRef context, const char *path, const char *name,
                   LLVMModuleRef *module, struct err *err);

/*
 * Read PTX that has only device functions, which are kept unchanged, to be inlined, and take the
 * addresses of their results and parameters. Otherwise like ptx_reader_run().
 */
int ptx_reader_functions(LLVMContextRef context, const struct str *text, const char *name,
                         LLVMModuleRef *module, struct err *err);

#endif
