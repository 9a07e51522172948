/* half_access - half_access.cl as text, put in when this program is built (embed.cmake). */
#ifndef HALF_ACCESS_H
#define HALF_ACCESS_H

#include <stddef.h>

extern const unsigned char half_access[];
extern const size_t half_access_bytes;

#endif
