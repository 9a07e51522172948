/* SPDX-License-Identifier: Apache-2.0 */
#include "spirv.h"

#include "err.h"
#include "str.h"
#include "subprocess.h"

#include <string.h>

#define MESSAGES_LIMIT_BYTES (1u << 20)
#define NOT_STARTED          (-1)

/* Made for our LLVM, then whatever there is. */
static const char *const translators[] = { "llvm-spirv-14", "llvm-spirv" };

/* *status stays NOT_STARTED when there is no such program. */
static int translate(const char *translator, const char *path, struct str *bitcode, int *status,
                     struct err *err)
{
	const char *const words[] = { translator, "-r", path, "-o", "-", NULL };
	char *argv[sizeof(words) / sizeof(words[0])];
	struct str none, messages;
	int ret;

	memcpy(argv, words, sizeof(argv));
	*status = NOT_STARTED;
	str_init(&none, 1);
	str_init(&messages, MESSAGES_LIMIT_BYTES);
	ret = subprocess_run(argv, &none, bitcode, &messages, status, err);
	if (!ret && *status != 0) {
		const char *text = messages.text ? messages.text : "no message";

		ret = err_set(err, ERR_SUBPROCESS, "%s exits with %d: %.*s", translator, *status,
		              (int)strcspn(text, "\n"), text);
	}
	str_release(&messages);
	return ret;
}

int spirv_to_bitcode(const char *path, struct str *bitcode, struct err *err)
{
	for (size_t i = 0; i < sizeof(translators) / sizeof(translators[0]); i++) {
		struct err why = { 0 };
		int status;
		int ret = translate(translators[i], path, bitcode, &status, &why);

		if (!ret)
			return 0;
		if (ret != ERR_SUBPROCESS || status != NOT_STARTED)
			return err_set(err, (enum err_code)ret, "%s", why.msg);
	}
	return err_set(err, ERR_UNSUPPORTED,
	               "SPIR-V is read by the program llvm-spirv-14, which is not installed");
}
