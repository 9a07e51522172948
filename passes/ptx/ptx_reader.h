/*
 * ptx_reader - a PTX text as an LLVM module for nvptx64, in the form in which clang writes the
 * device code of CUDA programs: see docs/ptx.md for what is read.
 *
 * Kernels are marked in !nvvm.annotations; device functions are inlined; addresses are pointers
 * wherever they come from a parameter or a variable (ptx_pointers.h). A kernel with something that
 * is not read has the attribute "warpline-refusal"="the reason" and does nothing.
 */
#ifndef PTX_READER_H
#define PTX_READER_H

#include <llvm-c/Types.h>

#define PTX_TEXT_LIMIT_BYTES  (256u << 20)
#define PTX_REFUSAL_ATTRIBUTE "warpline-refusal"

struct err;
struct str;

/*
 * Read the file at `path` into a new module of `context`, disposed by the caller. Places in PTX
 * without .loc name the file `name` (NULL: path). Returns 0; ERR_IO; ERR_FORMAT for what is no PTX,
 * with its line; ERR_LIMIT; ERR_NOMEM; *module is NULL then.
 */
int ptx_reader_run(LLVMContextRef context, const char *path, const char *name,
                   LLVMModuleRef *module, struct err *err);

/*
 * Read PTX of device functions only: they are kept unchanged, to be inlined, and take the
 * addresses of their results and parameters. As ptx_reader_run() otherwise.
 */
int ptx_reader_functions(LLVMContextRef context, const struct str *text, const char *name,
                         LLVMModuleRef *module, struct err *err);

#endif
