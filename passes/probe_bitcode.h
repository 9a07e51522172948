/* probe_bitcode - probe.cl as LLVM 14 bitcode, put in when this program is built (embed.cmake). */
#ifndef PROBE_BITCODE_H
#define PROBE_BITCODE_H

#include <stddef.h>

extern const unsigned char probe_bitcode_32[], probe_bitcode_64[];
extern const size_t probe_bitcode_32_bytes, probe_bitcode_64_bytes;

#endif
