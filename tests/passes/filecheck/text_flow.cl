// As OpenCL C a loop is a loop again, a break a break; only where two ways meet that nesting cannot
// bring together stands a goto. A "continue" needs no word: what it passes over is under a condition.
__kernel void flow(__global int *a, int n)
{
	for (int i = 0; i < n; i++) {
		if (a[i] < 0)
			break;
		if (a[i] == 7)
			continue;
		a[i] = i;
	}
	switch (n) {
	case 1:
		a[1] = 5;
		break;
	case -3:
		a[2] = 6;
		/* falls */
	case 9:
		a[3] = 7;
		break;
	default:
		a[4] = 8;
	}
	do {
		a[5]++;
	} while (a[5] < n);
}
// TEXT-LABEL: __kernel void flow(warpline_global a0, uint a1)
// TEXT: uint [[I:v[0-9]+]];
// TEXT-NEXT: [[I]] = 0u;
// TEXT-NEXT: while (((bool)((int)[[I]] < (int)a1))) {
// TEXT: if (v{{[0-9]+}}) {
// TEXT-NEXT: break;
// TEXT-NEXT: }
// TEXT-NOT: goto
// TEXT: == 7u;
// TEXT-NEXT: if (!v{{[0-9]+}}) {
// TEXT: *(__global uint *)v{{[0-9]+}} = [[I]];
// TEXT-NEXT: }
// TEXT-NEXT: uint [[NEXT:v[0-9]+]] = (uint)((int)[[I]] + 1);
// TEXT-NEXT: [[I]] = [[NEXT]];
// TEXT-NEXT: }
// TEXT-NEXT: switch (a1) {
// TEXT: default:
// TEXT: = 8u;
// TEXT-NEXT: goto [[END:L[0-9]+]];
// TEXT: case 1u:
// TEXT: = 5u;
// TEXT-NEXT: goto [[END]];
// TEXT: case 4294967293u:
// TEXT: = 6u;
// TEXT-NEXT: break;
// TEXT: case 9u:
// TEXT-NOT: goto
// TEXT: }
// TEXT: = 7u;
// TEXT-NEXT: [[END]]:;
// TEXT-NEXT: for (;;) {
// TEXT-NOT: goto
// TEXT: break;
// TEXT: {{^}}}
