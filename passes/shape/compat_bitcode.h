/* compat_bitcode - compat.cl as LLVM 14 bitcode, put in when this program is built (embed.cmake).
 */
#ifndef COMPAT_BITCODE_H
#define COMPAT_BITCODE_H

#include <stddef.h>

extern const unsigned char compat_bitcode_32[], compat_bitcode_64[];
extern const size_t compat_bitcode_32_bytes, compat_bitcode_64_bytes;

#endif
