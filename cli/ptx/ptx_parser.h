/*
 * ptx_parser - reads a PTX text into a ptx_module (for ptx_*.c only).
 *
 * ptx_module.c goes through the text, ptx_body.c through the statements of a function, and
 * ptx_instruction.c takes one apart.
 */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "ptx_module.h"
#include "ptx_registers.h"

struct ptx_parser {
	struct ptx_module *m;
	struct ptx_lexer lexer;
	struct ptx_function *f; /* the one that is read */
	struct ptx_registers registers;
	struct array tokens; /* struct ptx_token: those of a statement, without guard and ';' */
	uint32_t place;      /* that the last `.loc` told, or PTX_NONE */
	bool is_narrow;      /* addresses have 32 bits */
	struct err *err;
};

/* What stands before a statement. */
struct ptx_guard {
	size_t begin; /* of the statement */
	struct ptx_token name;
	bool is_negated;
};

/* "PATH:LINE: expected WHAT" at a byte of the text. */
int ptx_parser_expected(struct ptx_parser *p, size_t at, const char *what);

/* `.file` and `.loc`, behind that word. */
int ptx_parser_file(struct ptx_parser *p);
int ptx_parser_loc(struct ptx_parser *p);

/* The body of p->f, from behind its first brace to behind its last. */
int ptx_parser_body(struct ptx_parser *p);

/* Note what p->tokens, which end at `end`, does with addresses. */
int ptx_parser_instruction(struct ptx_parser *p, const struct ptx_guard *guard, size_t end);

#endif
