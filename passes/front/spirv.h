/*
 * spirv - SPIR-V as LLVM bitcode, by the program llvm-spirv if it is installed.
 */
#ifndef SPIRV_H
#define SPIRV_H

struct err;
struct str;

/*
 * Append the module in the file `path` as bitcode to *bitcode. Returns 0; ERR_UNSUPPORTED when
 * there is no llvm-spirv; ERR_SUBPROCESS with the first line of its complaint; ERR_IO, ERR_LIMIT,
 * ERR_NOMEM.
 */
int spirv_to_bitcode(const char *path, struct str *bitcode, struct err *err);

#endif
