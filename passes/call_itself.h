/*
 * call_itself - keeps functions out of line on runtimes that inline every function which does not
 * call itself.
 */
#ifndef CALL_ITSELF_H
#define CALL_ITSELF_H

#include <llvm-c/Types.h>

/*
 * Make each function of the probe runtime in the module that is not to be inlined call itself
 * under a condition that never holds: that the header, its first argument, has version 0. Such code
 * is for the text door; the other makes POCL crash.
 */
void call_itself_insert(LLVMModuleRef module);

#endif
