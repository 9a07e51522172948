/* embedded - files that the build embeds into the program as arrays (embed.cmake). */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include <stddef.h>

/* Declares the array `name` and its size in bytes, `name`_bytes. */
#define EMBEDDED(name)                                                                             \
	extern const unsigned char name[];                                                         \
	extern const size_t name##_bytes

#endif
