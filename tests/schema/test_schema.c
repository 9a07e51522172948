/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include "cmocka_all.h"

#include <string.h>

static int check(const char *schema, const char *document, struct schema_why *why)
{
	json_t *s = json_loads(schema, 0, NULL), *d = json_loads(document, JSON_DECODE_ANY, NULL);
	int ret;

	assert_non_null(s);
	assert_non_null(d);
	ret = schema_check(s, "/nowhere", d, why);
	json_decref(s);
	json_decref(d);
	return ret;
}

/* Each keyword, with a document that fits and one that does not. Expected from the draft's text. */
static void a_document_fits_or_the_reason_is_told(void **state)
{
	static const struct {
		const char *schema, *fits, *misfits, *why;
	} rows[] = {
		{ "{\"type\":\"integer\"}", "1", "1.5", "/: is not of type \"integer\"" },
		{ "{\"type\":\"number\"}", "1", "\"1\"", "/: is not of type \"number\"" },
		{ "{\"type\":\"number\"}", "1.5", "true", "/: is not of type \"number\"" },
		{ "{\"type\":\"boolean\"}", "false", "0", "/: is not of type \"boolean\"" },
		{ "{\"type\":[\"string\",\"null\"]}", "null", "[]",
		  "/: is not of type [\"string\", \"null\"]" },
		{ "{\"type\":\"object\"}", "{}", "[]", "/: is not of type \"object\"" },
		{ "{\"enum\":[\"a\",1]}", "1", "2", "/: 2 is none of the values there can be" },
		{ "{\"const\":\"a\"}", "\"a\"", "\"b\"", "/: is not what it always is" },
		{ "{\"minimum\":0}", "0", "-1", "/: -1 is less than 0" },
		{ "{\"maximum\":1}", "1", "1.5", "/: 1.5 is more than 1" },
		{ "{\"minimum\":0}", "\"x\"", "-0.5", "/: -0.5 is less than 0" },
		{ "{\"pattern\":\"^a+$\"}", "\"aa\"", "\"ab\"", "/: 'ab' does not match ^a+$" },
		{ "{\"items\":{\"type\":\"null\"}}", "[null]", "[null,1]",
		  "//1: is not of type \"null\"" },
		{ "{\"minItems\":1}", "[0]", "[]", "/: has 0 items" },
		{ "{\"maxItems\":1}", "[0]", "[0,0]", "/: has 2 items" },
		{ "{\"required\":[\"a\"]}", "{\"a\":1}", "{\"b\":1}", "/: lacks 'a'" },
		{ "{\"properties\":{\"a\":{\"type\":\"null\"}}}", "{\"b\":1}", "{\"a\":1}",
		  "//a: is not of type \"null\"" },
		{ "{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1}",
		  "{\"a\":1,\"b\":1}", "/: has 'b', which the schema does not know" },
		{ "{\"additionalProperties\":{\"type\":\"null\"}}", "{\"a\":null}", "{\"a\":1}",
		  "//a: is not of type \"null\"" },
		{ "{\"anyOf\":[{\"type\":\"null\"},{\"minimum\":3}]}", "4", "2",
		  "/: 2 is less than 3" },
		{ "{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"type\":\"null\"}}}", "null", "1",
		  "/: is not of type \"null\"" },
	};
	struct schema_why why;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (check(rows[i].schema, rows[i].fits, &why))
			fail_msg("%s, %s: %s", rows[i].schema, rows[i].fits, why.text);
		assert_int_equal(check(rows[i].schema, rows[i].misfits, &why), -1);
		if (strcmp(why.text, rows[i].why[1] == '/' ? rows[i].why + 1 : rows[i].why) != 0)
			fail_msg("%s, %s: %s", rows[i].schema, rows[i].misfits, why.text);
	}
}

static void a_schema_that_is_not_understood_checks_nothing(void **state)
{
	static const char *const schemas[] = {
		"{\"typo\":\"integer\"}",
		"{\"$ref\":\"#/$defs/none\"}",
		"{\"$ref\":\"elsewhere\"}",
		"{\"$ref\":\"none.json#/$defs/x\"}",
		"{\"pattern\":\"(\"}",
		"{\"anyOf\":[]}",
		"{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"$ref\":\"#/$defs/x\"}}}",
	};
	struct schema_why why;

	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
		assert_int_equal(check(schemas[i], "\"1\"", &why), -2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_fits_or_the_reason_is_told),
		cmocka_unit_test(a_schema_that_is_not_understood_checks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
