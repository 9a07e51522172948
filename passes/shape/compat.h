/*
 * compat - the functions of compat.cl inside a module. Their bitcode is part of this program.
 */
#ifndef COMPAT_H
#define COMPAT_H

#include <llvm-c/Types.h>

struct err;

/*
 * The function of this name of compat.cl in *function; the first call links all of them in, private
 * to the module and always inlined. Returns 0; ERR_UNSUPPORTED when the module is neither spir nor
 * spir64, has a function of the same name, or linking fails.
 */
int compat_function(LLVMModuleRef module, const char *name, LLVMValueRef *function,
                    struct err *err);

#endif
