/* SPDX-License-Identifier: Apache-2.0 */
#include "form_arithmetic.h"

#include <string.h>

/* <, = or > 0, as the leaves of one term come before, are or come behind those of the other. */
static int compare(const struct form_term *a, const struct form_term *b)
{
	if (a->degree != b->degree)
		return a->degree < b->degree ? -1 : 1;
	for (uint32_t i = 0; i < a->degree; i++)
		if (a->leaves[i] != b->leaves[i])
			return a->leaves[i] < b->leaves[i] ? -1 : 1;
	return 0;
}

/* Add a term to a form, in its place. False when there is no room. */
static bool add_term(struct form *to, const struct form_term *term)
{
	uint32_t i = 0;

	while (i < to->count && compare(&to->terms[i], term) < 0)
		i++;
	if (i < to->count && compare(&to->terms[i], term) == 0) {
		to->terms[i].scale += term->scale;
		if (to->terms[i].scale)
			return true;
		to->count--;
		memmove(&to->terms[i], &to->terms[i + 1], (to->count - i) * sizeof(to->terms[0]));
		return true;
	}
	if (to->count == FORM_TERMS || !term->scale)
		return !term->scale;
	memmove(&to->terms[i + 1], &to->terms[i], (to->count - i) * sizeof(to->terms[0]));
	to->terms[i] = *term;
	to->count++;
	return true;
}

bool form_add(struct form *to, const struct form *a, uint64_t scale)
{
	to->constant += a->constant * scale;
	for (uint32_t i = 0; i < a->count; i++) {
		struct form_term term = a->terms[i];

		term.scale *= scale;
		if (!add_term(to, &term))
			return false;
	}
	return true;
}

bool form_subtract(const struct form *a, const struct form *b, struct form *out)
{
	*out = *a;
	return form_add(out, b, UINT64_MAX);
}

/* Both terms' leaves, in order. False when they are too many. */
static bool join(const struct form_term *a, const struct form_term *b, struct form_term *out)
{
	uint32_t i = 0, k = 0;

	if (a->degree + b->degree > FORM_DEGREE)
		return false;
	*out = (struct form_term){ .scale = a->scale * b->scale, .degree = a->degree + b->degree };
	for (uint32_t n = 0; n < out->degree; n++) {
		bool is_a = k == b->degree || (i < a->degree && a->leaves[i] <= b->leaves[k]);

		out->leaves[n] = is_a ? a->leaves[i++] : b->leaves[k++];
	}
	return true;
}

bool form_multiply(const struct form *a, const struct form *b, struct form *out)
{
	struct form rest = *b;

	rest.constant = 0;
	*out = (struct form){ 0 };
	if (!form_add(out, a, b->constant) || !form_add(out, &rest, a->constant))
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++) {
			struct form_term term;

			if (!join(&a->terms[i], &b->terms[k], &term) || !add_term(out, &term))
				return false;
		}
	return true;
}

bool form_is_parallel(const struct form *a, const struct form *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (compare(&a->terms[i], &b->terms[i]) != 0 ||
		    a->terms[i].scale != b->terms[i].scale)
			return false;
	return true;
}
