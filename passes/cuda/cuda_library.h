/*
 * cuda_library - the functions of cuda_library.cl inside a module. Their bitcode is part of this
 * program.
 *
 * Until they are linked they are declarations `warpline_cuda_...`: an atomic among them is one
 * access of the program's (builtins.def), and nothing that it does inside is any.
 */
#ifndef CUDA_LIBRARY_H
#define CUDA_LIBRARY_H

struct err;
struct program;

/*
 * Link what the program calls of the library, private to the module and to be inlined (the step
 * that inlines is finish_code()). Nothing to do for a module without such declarations. Returns 0;
 * ERR_UNSUPPORTED when a function is declared that the library lacks or has with other types, the
 * module is not spir64, or linking fails.
 */
int cuda_library_link(struct program *p, struct err *err);

#endif
