/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include "cmocka_all.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void terminal_init(struct terminal *t, int rows, int columns)
{
	memset(t, 0, sizeof(*t));
	t->rows = rows;
	t->columns = columns;
	t->bottom = rows - 1;
	for (int i = 0; i < rows; i++)
		memset(t->cells[i], ' ', (size_t)columns);
}

/* One row down; what scrolls does so at its end. */
static void go_down(struct terminal *t)
{
	if (t->at.row == t->bottom) {
		memmove(t->cells[0], t->cells[1], (size_t)t->bottom * sizeof(t->cells[0]));
		memset(t->cells[t->bottom], ' ', (size_t)t->columns);
	} else if (t->at.row < t->rows - 1) {
		t->at.row++;
	}
}

static void put_letter(struct terminal *t, char letter)
{
	if (t->at.wraps) {
		t->at.wraps = false;
		t->at.column = 0;
		go_down(t);
	}
	t->cells[t->at.row][t->at.column] = letter;
	t->at.wraps = t->at.column == t->columns - 1;
	t->at.column += !t->at.wraps;
}

/* "ESC [ NUMBER ; NUMBER LETTER", after the bracket; returns the bytes taken. */
static size_t take_sequence(struct terminal *t, const char *bytes)
{
	char *end;
	int first = (int)strtol(bytes, &end, 10), second = 0;

	if (*end == ';')
		second = (int)strtol(end + 1, &end, 10);
	switch (*end) {
	case 'm':
		break;
	case 'A':
		t->at.row -= t->at.row > 0;
		t->at.wraps = false;
		break;
	case 'H':
		t->at = (struct terminal_cursor){ first ? first - 1 : 0, second ? second - 1 : 0,
			                          false };
		break;
	case 'r':
		t->bottom = (second ? second : t->rows) - 1;
		t->at = (struct terminal_cursor){ 0, 0, false };
		break;
	case 'K':
		assert_int_equal(first, 2);
		memset(t->cells[t->at.row], ' ', (size_t)t->columns);
		break;
	default:
		fail_msg("unknown sequence '%.8s'", bytes);
	}
	return (size_t)(end - bytes) + 1;
}

/* What follows an escape; returns the bytes taken. */
static size_t take_escape(struct terminal *t, const char *bytes)
{
	switch (*bytes) {
	case '7':
		t->saved = t->at;
		return 1;
	case '8':
		t->at = t->saved;
		return 1;
	case 'D':
		go_down(t);
		return 1;
	case '[':
		return 1 + take_sequence(t, bytes + 1);
	default:
		fail_msg("unknown escape '%.4s'", bytes);
		return 1;
	}
}

void terminal_write(struct terminal *t, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\033') {
			i += take_escape(t, bytes + i + 1);
		} else if (bytes[i] == '\r') {
			t->at.column = 0;
			t->at.wraps = false;
		} else if (bytes[i] == '\n') {
			t->at.wraps = false;
			go_down(t);
		} else {
			assert_true(isprint((unsigned char)bytes[i]));
			put_letter(t, bytes[i]);
		}
	}
}
