/*
 * cuda_notice - what the CUDA libraries say to the user: lines on stderr, each written at once.
 */
#ifndef CUDA_NOTICE_H
#define CUDA_NOTICE_H

/* Write "warpline: " and the text as one line. */
void cuda_notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
