/*
 * recording_sign - makes the checksums of a recording right again, so that what it claims is read.
 *
 * What a hostile writer does: whoever makes a recording up can count, too.
 */
#ifndef RECORDING_SIGN_H
#define RECORDING_SIGN_H

#include <stddef.h>

struct str;

/*
 * Append to *out the manifest `text` with the sum of each line, and with the length and sum of each
 * file that a line names and that is in `dir`. A line that is no JSON object gets only a sum, if it
 * ends like one. What follows the last newline stays as it is.
 */
void recording_sign(const char *dir, const char *text, size_t length, struct str *out);

/* Sign the manifest of a recording where it is. */
void recording_sign_in_place(const char *dir);

#endif
