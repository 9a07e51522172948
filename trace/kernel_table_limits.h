/*
 * kernel_table_limits - how large a kernel table may be; private to trace/.
 *
 * Far above what a compiler makes, low enough that a hostile manifest cannot ask for much.
 */
#ifndef KERNEL_TABLE_LIMITS_H
#define KERNEL_TABLE_LIMITS_H

#define KERNEL_SITES_MAX       ((size_t)1 << 20)
#define KERNEL_LOOPS_MAX       ((size_t)1 << 20)
#define KERNEL_ARGUMENTS_MAX   ((size_t)1 << 12)
#define KERNEL_UNRECORDED_MAX  ((size_t)1 << 20)
#define KERNEL_DIFFERENCES_MAX ((size_t)1 << 12)
#define KERNEL_INLINED_MAX     ((size_t)1 << 10)
#define KERNEL_SPACE_MAX       4u
#define KERNEL_LANES           32u               /* of the layout that is interleaved by lane */
#define KERNELS_MAX            ((size_t)1 << 16) /* of one program, or of one recording */

#endif
