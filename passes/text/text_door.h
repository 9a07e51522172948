/*
 * text_door - OpenCL C from LLVM IR: the way to the device that every device takes.
 *
 * The module is that of an OpenCL C program for spir or spir64, its functions inlined or to stay
 * functions, with debug information if places are to be named. Nothing here depends on what
 * pointers point to. The text means what the IR means: the same accesses, the same control flow,
 * floating point operations contracted where the source had them in one expression.
 *
 * Names of the text begin with "warpline_", or are a letter and a number inside functions; kernels
 * keep theirs. The first line is `// options:` and what the text is to be built with; with
 * --keep-device the code that it was made of comes next (device_module.h).
 */
#ifndef TEXT_DOOR_H
#define TEXT_DOOR_H

struct err;
struct program;
struct str;

/*
 * Append the program as OpenCL C to *out. A kernel that has a construct which cannot be expressed
 * is left out, and its table's `refusal` says "text: " and which one, at which place of the source;
 * so is one that has a refusal already. Returns 0, ERR_NOMEM, ERR_LIMIT, ERR_USAGE (build options
 * that cannot be read).
 */
int text_door_write(struct program *p, struct str *out, struct err *err);

#endif
