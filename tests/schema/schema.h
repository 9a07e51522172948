/*
 * schema - whether a JSON document is what a JSON Schema (draft 2020-12) says.
 *
 * The subset that docs/json uses: type, properties, required, additionalProperties, items, enum,
 * const, minimum, maximum, minItems, maxItems, pattern (POSIX extended), anyOf, $ref to
 * "#/$defs/NAME" or "FILE.schema.json#/$defs/NAME" beside it, $defs, and what only explains:
 * $schema, $id, title, description. Any other keyword is an error: it would be a promise that
 * nobody checks.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <jansson.h>

enum { SCHEMA_WHY_BYTES = 512 };

/* Why a document is not what it should be, the first thing found: "/launches/0/l1: ...". */
struct schema_why {
	char text[SCHEMA_WHY_BYTES];
};

/*
 * Check `document`; `schema` is the root, from a file in `dir`, where others that it refers to are.
 * Returns 0; -1 with the reason: the document does not fit; -2 with the reason: the schema itself
 * is not understood.
 */
int schema_check(json_t *schema, const char *dir, json_t *document, struct schema_why *why);

#endif
