/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper_functions.h - the timers of programs written after CUDA's samples. C++ only.
 */
#ifndef WARPLINE_HELPER_FUNCTIONS_H
#define WARPLINE_HELPER_FUNCTIONS_H

#include <time.h>

#include "helper_string.h"

#ifdef __cplusplus
struct StopWatchInterface {
	double start_ms, total_ms;
	int runs;
};

static inline double warpline_now_ms()
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
	*timer = new StopWatchInterface();
	return true;
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
	delete *timer;
	*timer = NULL;
	return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer)
{
	(*timer)->start_ms = warpline_now_ms();
	return true;
}

static inline bool sdkStopTimer(StopWatchInterface **timer)
{
	(*timer)->total_ms += warpline_now_ms() - (*timer)->start_ms;
	(*timer)->runs++;
	return true;
}

static inline bool sdkResetTimer(StopWatchInterface **timer)
{
	(*timer)->start_ms = warpline_now_ms();
	(*timer)->total_ms = 0;
	(*timer)->runs = 0;
	return true;
}

static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
	return (float)(*timer)->total_ms;
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
	return (*timer)->runs ? (float)((*timer)->total_ms / (*timer)->runs) : 0.0f;
}
#endif

#endif
