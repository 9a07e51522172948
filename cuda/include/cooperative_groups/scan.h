/* SPDX-License-Identifier: Apache-2.0 */
/* cooperative_groups/scan.h - cooperative_groups::inclusive_scan() and exclusive_scan(). */
#ifndef WARPLINE_COOPERATIVE_GROUPS_SCAN_H
#define WARPLINE_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#endif
