/*
 * recordings - small recordings for the tests of the program, the same bytes every time.
 *
 * Not part of the program. Each is made with recording_writer, as the recorder does.
 */
#ifndef RECORDINGS_H
#define RECORDINGS_H

struct err;

/*
 *   vadd        c[i] = a[i] + b[i]: launches of 64 and 32 work-items, groups of 32. Complete.
 *   listed      a launch of vadd of 64 work-items, with two bypass lists, one of them applied.
 *               Complete.
 *   loops       two nested loops and a barrier, one group of 4. Complete.
 *   incomplete  a launch of vadd, two skipped ones, one pending, a note; no end
 *   manifest    vadd with a line of its manifest overwritten
 *   truncated   vadd with the file of launch 0 cut in half
 *   atomics     one work-item that does one atomic; a kernel of 8-byte reads beside it
 *   kernels     two kernels of one read each
 *   deep        one access in four nested loops
 *   far         iterations 65534 and 65535 of a loop; launch 1 has the global id 2^20
 *   wide        17 loops
 *   huge        one work-item that reads a MiB 8,192 times, each time as one access
 *   sparse      the first and the last of 2^29 groups, which were selected
 *   broad       one work-item that reads 64 KiB twice, each time as one access
 *   sides       one warp's accesses to global, local and constant memory
 *   counted     two counted launches of vadd, one not selected, and one of which groups were
 *   lost        one launch, of which 17 events found no room
 *   full        one launch of "first", which a full disk did not take
 *   unselected  one launch of "first", which --kernel left out
 *   cuda        launches of three kernels with names that C++ mangled
 *   tallied     launch 5000 of 12,002: 11,998 and one were not selected, one was skipped, and of
 * one nothing is known
 *   streaming, strided, spread, reused, varied, mixed  see bypass_recordings.h
 * The exit status of the program is not in it. Returns 0 or a negative ERR_*.
 */
int recording_make(const char *kind, const char *dir, struct err *err);

#endif
