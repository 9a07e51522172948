__kernel void marked(__global int *a) { a[get_global_id(0)]++; }
// A text that begins with UTF-8's byte order mark, as editors on Windows write it.
// CHECK: define {{.*}}@marked(
