/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 64, PATH_BYTES = 256, MISFIT = -1, UNKNOWN = -2 };

/* A check under way. */
struct check {
	const char *dir;
	struct schema_why *why;
	char path[PATH_BYTES]; /* where in the document */
	int depth;
};

static int visit(struct check *c, json_t *root, json_t *schema, json_t *value);

static __attribute__((format(printf, 3, 4))) int say(struct check *c, int code, const char *fmt,
                                                     ...)
{
	size_t used =
		(size_t)snprintf(c->why->text, SCHEMA_WHY_BYTES, "%s: ", *c->path ? c->path : "/");
	va_list ap;

	va_start(ap, fmt);
	/* It is lost where this is inlined: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	vsnprintf(c->why->text + used, SCHEMA_WHY_BYTES - used, fmt, ap);
	va_end(ap);
	return code;
}

/* Whether a value is of the type of that name. */
static bool is_of_type(json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type types[2];
	} rows[] = {
		{ "object", { JSON_OBJECT, JSON_OBJECT } },
		{ "array", { JSON_ARRAY, JSON_ARRAY } },
		{ "string", { JSON_STRING, JSON_STRING } },
		{ "integer", { JSON_INTEGER, JSON_INTEGER } },
		{ "number", { JSON_INTEGER, JSON_REAL } },
		{ "boolean", { JSON_TRUE, JSON_FALSE } },
		{ "null", { JSON_NULL, JSON_NULL } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(type, rows[i].name))
			return json_typeof(value) == rows[i].types[0] ||
			       json_typeof(value) == rows[i].types[1];
	return false;
}

static int check_type(struct check *c, json_t *type, json_t *value)
{
	char *wanted;
	json_t *one;
	size_t i;
	int ret;

	if (json_is_string(type) && is_of_type(value, json_string_value(type)))
		return 0;
	json_array_foreach(type, i, one) if (is_of_type(value, json_string_value(one))) return 0;
	wanted = json_dumps(type, JSON_ENCODE_ANY);
	ret = say(c, MISFIT, "is not of type %s", wanted ? wanted : "");
	free(wanted);
	return ret;
}

static int check_enum(struct check *c, json_t *list, json_t *value)
{
	json_t *one;
	size_t i;
	char *shown;
	int ret;

	json_array_foreach(list, i, one) if (json_equal(one, value)) return 0;
	shown = json_dumps(value, JSON_ENCODE_ANY);
	ret = say(c, MISFIT, "%s is none of the values there can be", shown ? shown : "");
	free(shown);
	return ret;
}

static int check_bounds(struct check *c, json_t *schema, json_t *value)
{
	json_t *least = json_object_get(schema, "minimum");
	json_t *most = json_object_get(schema, "maximum");
	double number = json_number_value(value);

	if (!json_is_number(value))
		return 0;
	if (least && number < json_number_value(least))
		return say(c, MISFIT, "%g is less than %g", number, json_number_value(least));
	if (most && number > json_number_value(most))
		return say(c, MISFIT, "%g is more than %g", number, json_number_value(most));
	return 0;
}

static int check_pattern(struct check *c, json_t *pattern, json_t *value)
{
	regex_t regex;
	int ret = 0;

	if (!json_is_string(value))
		return 0;
	if (regcomp(&regex, json_string_value(pattern), REG_EXTENDED | REG_NOSUB))
		return say(c, UNKNOWN, "pattern '%s' cannot be read", json_string_value(pattern));
	if (regexec(&regex, json_string_value(value), 0, NULL, 0))
		ret = say(c, MISFIT, "'%s' does not match %s", json_string_value(value),
		          json_string_value(pattern));
	regfree(&regex);
	return ret;
}

/* Go down into a part of the document, whose name is added to the path meanwhile. */
static int visit_part(struct check *c, json_t *root, json_t *schema, json_t *value,
                      const char *name)
{
	size_t length = strlen(c->path);
	int ret;

	snprintf(c->path + length, sizeof(c->path) - length, "/%s", name);
	ret = visit(c, root, schema, value);
	c->path[length] = '\0';
	return ret;
}

static int check_array(struct check *c, json_t *root, json_t *schema, json_t *value)
{
	json_t *items = json_object_get(schema, "items");
	json_t *least = json_object_get(schema, "minItems");
	json_t *most = json_object_get(schema, "maxItems");
	json_int_t count = (json_int_t)json_array_size(value);
	json_t *item;
	char name[24];
	size_t i;
	int ret = 0;

	if (!json_is_array(value))
		return 0;
	if (least && count < json_integer_value(least))
		return say(c, MISFIT, "has %d items", (int)count);
	if (most && count > json_integer_value(most))
		return say(c, MISFIT, "has %d items", (int)count);
	json_array_foreach(value, i, item)
	{
		snprintf(name, sizeof(name), "%zu", i);
		if (items && !ret)
			ret = visit_part(c, root, items, item, name);
	}
	return ret;
}

static int check_property(struct check *c, json_t *root, json_t *schema, const char *name,
                          json_t *value)
{
	json_t *own = json_object_get(json_object_get(schema, "properties"), name);
	json_t *others = json_object_get(schema, "additionalProperties");

	if (own)
		return visit_part(c, root, own, value, name);
	if (json_is_false(others))
		return say(c, MISFIT, "has '%s', which the schema does not know", name);
	return json_is_object(others) ? visit_part(c, root, others, value, name) : 0;
}

static int check_object(struct check *c, json_t *root, json_t *schema, json_t *value)
{
	json_t *name, *part;
	const char *key;
	size_t i;
	int ret = 0;

	if (!json_is_object(value))
		return 0;
	json_array_foreach(
		json_object_get(schema, "required"), i,
		name) if (!json_object_get(value,
	                                   json_string_value(
						   name))) return say(c, MISFIT, "lacks '%s'",
	                                                              json_string_value(name));
	json_object_foreach(value, key, part) if (!ret) ret =
		check_property(c, root, schema, key, part);
	return ret;
}

static int check_any(struct check *c, json_t *root, json_t *list, json_t *value)
{
	json_t *one;
	size_t i;
	int ret = say(c, UNKNOWN, "anyOf is empty");

	json_array_foreach(list, i, one)
	{
		ret = visit(c, root, one, value);
		if (ret != MISFIT)
			return ret;
	}
	return ret;
}

/* "#/$defs/NAME", or the same of a file beside this one. */
static int visit_reference(struct check *c, json_t *root, const char *to, json_t *value)
{
	const char *at = strstr(to, "#/$defs/"), *name = at ? at + strlen("#/$defs/") : NULL;
	char path[512];
	json_t *other = NULL;
	json_t *schema;
	int ret;

	if (!name)
		return say(c, UNKNOWN, "$ref '%s' is not understood", to);
	if (at != to) {
		snprintf(path, sizeof(path), "%s/%.*s", c->dir, (int)(at - to), to);
		root = other = json_load_file(path, 0, NULL);
	}
	schema = json_object_get(json_object_get(root, "$defs"), name);
	ret = schema ? visit(c, root, schema, value)
	             : say(c, UNKNOWN, "$ref '%s' leads nowhere", to);
	json_decref(other);
	return ret;
}

/* A keyword nobody checks is none. */
static int check_keywords(struct check *c, json_t *schema)
{
	static const char *const known[] = {
		"$schema",
		"$id",
		"$defs",
		"$ref",
		"title",
		"description",
		"type",
		"properties",
		"required",
		"items",
		"enum",
		"const",
		"minimum",
		"maximum",
		"minItems",
		"maxItems",
		"anyOf",
		"pattern",
		"additionalProperties",
	};
	json_t *value;
	const char *key;

	if (!json_is_object(schema))
		return say(c, UNKNOWN, "the schema of it is no object");
	json_object_foreach(schema, key, value)
	{
		bool is_known = false;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			is_known |= !strcmp(key, known[i]);
		if (!is_known)
			return say(c, UNKNOWN, "the schema has '%s', which is not understood", key);
	}
	return 0;
}

/* What a schema says of a value itself. */
static int check_value(struct check *c, json_t *schema, json_t *value)
{
	json_t *part;
	int ret = 0;

	if ((part = json_object_get(schema, "type")))
		ret = check_type(c, part, value);
	if (!ret && (part = json_object_get(schema, "enum")))
		ret = check_enum(c, part, value);
	if (!ret && (part = json_object_get(schema, "const")) && !json_equal(part, value))
		ret = say(c, MISFIT, "is not what it always is");
	if (!ret && (part = json_object_get(schema, "pattern")))
		ret = check_pattern(c, part, value);
	return ret ? ret : check_bounds(c, schema, value);
}

/* NOLINTNEXTLINE(misc-no-recursion): at most DEPTH_MAX deep */
static int visit(struct check *c, json_t *root, json_t *schema, json_t *value)
{
	json_t *part;
	int ret;

	if (c->depth == DEPTH_MAX)
		return say(c, UNKNOWN, "more than %d levels", DEPTH_MAX);
	c->depth++;
	ret = check_keywords(c, schema);
	if (!ret && (part = json_object_get(schema, "$ref")))
		ret = visit_reference(c, root, json_string_value(part), value);
	if (!ret && (part = json_object_get(schema, "anyOf")))
		ret = check_any(c, root, part, value);
	if (!ret)
		ret = check_value(c, schema, value);
	if (!ret)
		ret = check_array(c, root, schema, value);
	if (!ret)
		ret = check_object(c, root, schema, value);
	c->depth--;
	return ret;
}

int schema_check(json_t *schema, const char *dir, json_t *document, struct schema_why *why)
{
	struct check c = { .dir = dir, .why = why };

	return visit(&c, schema, schema, document);
}
