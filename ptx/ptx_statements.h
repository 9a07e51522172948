/*
 * ptx_statements - reads the body of a PTX function, statement by statement.
 *
 * Nothing is looked up here: operands are names, numbers, addresses and lists of these. An
 * instruction of any other form is kept as odd, so an unknown instruction affects only its
 * function.
 */
#ifndef PTX_STATEMENTS_H
#define PTX_STATEMENTS_H

#include "array.h"
#include "ptx_scan.h"
#include "ptx_variable.h"

enum ptx_statement_kind {
	PTX_INSTRUCTION,
	PTX_LABEL,
	PTX_OPEN,      /* { */
	PTX_CLOSE,     /* } */
	PTX_REGISTERS, /* one declarator of .reg: `item` is in `registers` */
	PTX_VARIABLE,  /* `item` is in `variables` */
	PTX_LOC,       /* `item` is in `locs` */
	PTX_TARGETS,   /* name: .branchtargets operands */
};

enum ptx_operand_kind {
	PTX_NAME, /* register, symbol or label, also with a component (%tid.x); `number` is added */
	PTX_NUMBERS, /* a number */
	PTX_ADDRESS, /* [name+number] or [number] */
	PTX_LIST,    /* {a, b} or (a, b) */
};

struct ptx_operand {
	enum ptx_operand_kind kind;
	struct ptx_word name;   /* may be empty in an address */
	struct ptx_word second; /* the predicate of `d|p` */
	bool is_negated;        /* !p */
	struct ptx_number number;
	uint32_t first; /* of a list, or PTX_NONE */
	uint32_t next;  /* in the list or the statement, or PTX_NONE */
};

struct ptx_statement {
	enum ptx_statement_kind kind;
	size_t line, begin, end; /* bytes of the text, including its guard and ';' */
	uint32_t scope;          /* the scope it is in; for PTX_OPEN the scope it opens */
	uint32_t item;
	struct ptx_word name; /* the opcode without suffixes, or the label */
	struct ptx_word guard;
	bool is_guard_negated, is_odd;
	uint32_t first_suffix, suffix_count;
	uint32_t first_operand, operand_count;
};

struct ptx_registers {
	struct ptx_word name; /* without its number if `count` is not 0 */
	enum ptx_type type;
	uint64_t count; /* 0: the name alone */
};

struct ptx_statements {
	struct array list;      /* struct ptx_statement */
	struct array suffixes;  /* struct ptx_word */
	struct array operands;  /* struct ptx_operand */
	struct array registers; /* struct ptx_registers */
	struct array variables; /* struct ptx_variable */
	struct array initials;  /* struct ptx_initial */
	struct array locs;      /* struct ptx_loc */
	struct array parents;   /* uint32_t: the parent of each scope; PTX_NONE for the first */
};

void ptx_statements_init(struct ptx_statements *p);
void ptx_statements_release(struct ptx_statements *p);

/* Forget what was read and keep the memory. */
void ptx_statements_clear(struct ptx_statements *p);

/* Read from after the opening brace to after the closing one. Returns 0, ERR_FORMAT, ERR_LIMIT or
 * ERR_NOMEM. */
int ptx_statements_read(struct ptx_statements *p, struct ptx_scan *s);

/* Returns the operand with this index (first, next); NULL for PTX_NONE. */
const struct ptx_operand *ptx_operand_at(const struct ptx_statements *p, uint32_t index);

/* Returns suffix number `index` of an instruction, from 0. */
struct ptx_word ptx_suffix_at(const struct ptx_statements *p, const struct ptx_statement *t,
                              uint32_t index);

/* Source positions in PTX: .file and .loc. */

struct ptx_loc {
	uint64_t file, line, column;
	bool is_inlined;
	struct ptx_word function; /* the label of its name; may be empty */
	uint64_t function_offset;
	uint64_t at_file, at_line, at_column; /* position of the call */
};

/* .file 1 "name", 1234, 56; or .file 1 "folder" "name". */
struct ptx_file {
	uint64_t number;
	struct ptx_word folder, name; /* without their quotes; the folder may be empty */
};

/*
 * Find the .file directives that begin a line, in functions or outside; compilers write them before
 * or after the code. Appends to `files` (struct ptx_file). Returns 0, ERR_FORMAT, ERR_LIMIT or
 * ERR_NOMEM.
 */
int ptx_files_find(const struct ptx_scan *text, struct array *files);

/* Returns the file's path, which the caller frees; NULL with ERR_NOMEM. */
char *ptx_file_path(const struct ptx_file *file, struct err *err);

#endif
