/*
 * front_end - the first step: the program as an LLVM module, every access of the
 * source still there.
 *
 * OpenCL C goes through clang as a separate process, unoptimised but ready to
 * be optimised, with debug information; LLVM IR is parsed unchanged, SPIR-V by way
 * of llvm-spirv.
 */
#ifndef FRONT_END_H
#define FRONT_END_H

#include "settings.h"

#include <llvm-c/Types.h>

#include <stdbool.h>

#define FRONT_END_SOURCE_LIMIT_BYTES (256u << 20)
#define FRONT_END_EMBEDDING          "warpline-program.cl" /* the text, among its embedded headers */

struct err;
struct str;
struct word_list;

/*
 * Read settings->source into a module of `context`, disposed by the caller. Places name the file
 * as settings->source_name, lines are those of the text. Headers are sought in the current
 * directory too. Returns 0; ERR_IO; ERR_LIMIT; ERR_SUBPROCESS with clang's first error in the
 * message; ERR_FORMAT for IR that does not parse; ERR_UNSUPPORTED for bitcode that is not SPIR, and
 * for SPIR-V without llvm-spirv; ERR_USAGE for options; ERR_NOMEM. May write a file into
 * settings->embedded; and ERR_UNSUPPORTED for source whose strings name its file, which only the
 * device knows.
 */
int front_end_run(LLVMContextRef context, const struct settings *settings, LLVMModuleRef *module,
                  struct err *err);

/*
 * Append the options that say how the text is to be read: language, target, extensions, macros,
 * directories, and what of the program's build options counts. Returns 0, ERR_USAGE, ERR_NOMEM or
 * ERR_LIMIT.
 */
int front_end_options(struct word_list *argv, const struct settings *s, struct err *err);

/*
 * Append the program's text with what goes before it: what its device defines, with marks if asked
 * for (device_macros.h), the headers of its options, and a line that gives its name. Returns 0,
 * ERR_IO, ERR_LIMIT, ERR_USAGE, ERR_NOMEM.
 */
int front_end_source(const struct settings *s, bool is_marked, struct str *out, struct err *err);

/*
 * Append to *text what the preprocessor makes of the program's text with marks, and to *messages
 * what it says of names in conditions that are no macros (-Wundef). Errors in the source are not
 * errors here. Returns 0, the errors of front_end_source(), ERR_SUBPROCESS.
 */
int front_end_preprocess(const struct settings *s, struct str *text, struct str *messages,
                         struct err *err);

/* Whether a source is LLVM IR or SPIR-V, by its name: no text to look into. */
bool front_end_is_ir(const char *path);

/* Whether it is PTX, which a GPU's compiler has made. */
bool front_end_is_ptx(const char *path);

#endif
