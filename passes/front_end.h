/*
 * front_end - the first step: the program as an LLVM module, every access of the
 * source still there.
 *
 * OpenCL C goes through clang-14 as a separate process, unoptimised but ready to
 * be optimised, with debug information; LLVM IR is parsed as it is.
 */
#ifndef FRONT_END_H
#define FRONT_END_H

#include "settings.h"

#include <llvm-c/Types.h>

struct err;

/*
 * Read settings->source into a module of `context`, disposed by the caller. Places name the file
 * as settings->source_name, lines are those of the text. Headers are sought in the current
 * directory too. Returns 0; ERR_IO; ERR_LIMIT; ERR_SUBPROCESS with clang's first error in the
 * message; ERR_FORMAT for IR that does not parse; ERR_USAGE for options; ERR_NOMEM.
 */
int front_end_run(LLVMContextRef context, const struct settings *settings, LLVMModuleRef *module,
                  struct err *err);

#endif
