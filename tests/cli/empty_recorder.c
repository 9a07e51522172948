/* SPDX-License-Identifier: Apache-2.0 */
/* A libwarpline.so that does nothing: what record does around the program is tested with it. */
int warpline_empty_recorder(void);
int warpline_empty_recorder(void)
{
	return 0;
}
