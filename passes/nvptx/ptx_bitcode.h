/* ptx_bitcode - ptx_functions.c as LLVM 14 bitcode for nvptx64, put in when this program is built.
 */
#ifndef PTX_BITCODE_H
#define PTX_BITCODE_H

#include <stddef.h>

extern const unsigned char ptx_bitcode[];
extern const size_t ptx_bitcode_bytes;

#endif
