/*
 * c_type - what an argument of a kernel points to, told from its type as written.
 */
#ifndef C_TYPE_H
#define C_TYPE_H

#include <stddef.h>
#include <stdint.h>

enum { C_TYPE_BYTES = 16 };

/*
 * The name of the scalar or vector type of OpenCL C that `pointer` ("const __global float4 *")
 * points to, if it has that size; else "". In `name`.
 */
const char *c_type_pointed_to(const char *pointer, uint32_t bytes, char name[C_TYPE_BYTES]);

#endif
