/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_cases - how many of the random cases of a test are tried.
 */
#ifndef RANDOM_CASES_H
#define RANDOM_CASES_H

/* Of n random cases those that are tried: with a sanitizer, which takes four times as long, the
 * first quarter; the build without tries them all. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RANDOM_CASES(n) ((n) / 4)
#else
#define RANDOM_CASES(n) (n)
#endif

#endif
