/*
 * text_door - writes LLVM IR as OpenCL C, which every device accepts.
 *
 * The module is an OpenCL C program for spir or spir64. Its functions are inlined or stay
 * functions; debug information is needed only for source positions in refusals. Nothing here
 * depends on pointee types. The output has the meaning of the IR: the same accesses, the same
 * control flow, floating-point operations contracted where the source had them in one expression.
 *
 * Names in the output begin with "warpline_", or are a letter and a number inside functions;
 * kernels keep theirs. The first line is `// options:` and the build options; with --keep-device
 * the device code that it was made from follows (cuda_source.h).
 */
#ifndef TEXT_DOOR_H
#define TEXT_DOOR_H

struct err;
struct program;
struct str;

/*
 * Append the program as OpenCL C to *out. A kernel with a construct that cannot be expressed is
 * left out, and its table's `refusal` is "text: ", the construct and its source position; a kernel
 * that already has a refusal is also left out. Returns 0, ERR_NOMEM, ERR_LIMIT, or ERR_USAGE
 * (unreadable build options).
 */
int text_door_write(struct program *p, struct str *out, struct err *err);

#endif
