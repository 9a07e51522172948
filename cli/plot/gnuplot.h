/*
 * gnuplot - runs a script in the program gnuplot, which is started without a shell and without the
 * user's own settings.
 */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "str.h"

struct err;

/* Whether there is a gnuplot: 0, or ERR_SUBPROCESS with a sentence that says what to install. */
int gnuplot_check(struct err *err);

/*
 * Give gnuplot the script in the file `script` (from its beginning) and append what it draws to
 * *out. Returns 0; ERR_SUBPROCESS when it cannot be started or fails, with the last line that it
 * said; ERR_IO; ERR_LIMIT or ERR_NOMEM.
 */
int gnuplot_draw(int script, struct str *out, struct err *err);

#endif
