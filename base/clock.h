/*
 * clock - time that does not go back.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Nanoseconds since some moment before the process began (CLOCK_MONOTONIC). */
uint64_t clock_now_ns(void);

#endif
