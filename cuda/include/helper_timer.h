/* SPDX-License-Identifier: Apache-2.0 */
/* helper_timer.h - a part of helper_functions.h in the original; here it is all there. */
#ifndef WARPLINE_HELPER_TIMER_H
#define WARPLINE_HELPER_TIMER_H

#include "helper_functions.h"

#endif
