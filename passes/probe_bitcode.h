/*
 * probe_bitcode - probe.cl as LLVM 14 bitcode, put in when this program is built (embed.cmake):
 * probe_bitcode_<address bits>_<lanes>.
 */
#ifndef PROBE_BITCODE_H
#define PROBE_BITCODE_H

#include <stddef.h>

extern const unsigned char probe_bitcode_32_1[], probe_bitcode_32_32[];
extern const unsigned char probe_bitcode_64_1[], probe_bitcode_64_32[];
extern const size_t probe_bitcode_32_1_bytes, probe_bitcode_32_32_bytes;
extern const size_t probe_bitcode_64_1_bytes, probe_bitcode_64_32_bytes;

#endif
