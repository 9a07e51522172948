/*
 * bypass_recordings - recordings of kernels of which the best bypass list is known.
 *
 * Not part of the program. Groups of one warp of 32 work-items; what they read they read 16 times
 * in a loop, k = 0..15. Lines have 128 bytes.
 *
 *   streaming  table[k % 4] and stream[k]: four lines again and again, beside lines that are read
 *              once. With room for four lines in an SM all reads miss; when the stream bypasses L1,
 *              12 of the 16 reads of the table hit.
 *   strided    data[32 * (32 * k + lane)]: each lane reads 4 bytes of a line of its own, once.
 *              Bypassing moves a quarter of the bytes.
 *   spread     strided with 16 groups, the last eight of which read what the first eight do: 4,096
 *              lines, more than reuse distances are counted of on one SM.
 *   reused     table[k % 4] alone: it fits, and bypassing hurts.
 *   varied     one read of both kinds: in even k a table of four lines, in odd k a line of its own
 * for each lane. With room for four lines in an SM, only a list of lines keeps the table. updated
 * reads and writes a word in one place, out[i] += 1. mixed a
 * launch of streaming, one of reused, one of streaming with one group instead of two, one of
 * streaming with groups too large for any GPU.
 */
#ifndef BYPASS_RECORDINGS_H
#define BYPASS_RECORDINGS_H

struct err;

int bypass_recording_make_streaming(const char *dir, struct err *err);
int bypass_recording_make_strided(const char *dir, struct err *err);
int bypass_recording_make_spread(const char *dir, struct err *err);
int bypass_recording_make_reused(const char *dir, struct err *err);
int bypass_recording_make_varied(const char *dir, struct err *err);
int bypass_recording_make_updated(const char *dir, struct err *err);
int bypass_recording_make_mixed(const char *dir, struct err *err);

#endif
