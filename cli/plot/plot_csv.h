/*
 * plot_csv - the dots of a picture as numbers, one dot a line.
 */
#ifndef PLOT_CSV_H
#define PLOT_CSV_H

#include <stdio.h>

struct plot_picture;

/*
 * A line of names, then for each dot: buffer (-1: in none), what its accesses do, the first number
 * of an access and the first element that it stands for, how many numbers and elements it stands
 * for, how many accesses it has, and the value that colours it.
 */
void plot_csv_write(const struct plot_picture *p, FILE *out);

#endif
