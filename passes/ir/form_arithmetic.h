/* form_arithmetic - sums and products of forms (address_form.h). Private to address_form.c. */
#ifndef FORM_ARITHMETIC_H
#define FORM_ARITHMETIC_H

#include "address_form.h"

/* to += a * scale. False when that has too many terms; *to is spoilt then. */
bool form_add(struct form *to, const struct form *a, uint64_t scale);

/* a * b in *out, which is neither. False when it has too many terms, or of too high a degree. */
bool form_multiply(const struct form *a, const struct form *b, struct form *out);

#endif
