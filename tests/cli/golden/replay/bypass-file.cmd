# The same list as a file, of the second read in each line as well, and with what lies below L1: nothing else changes. A file of another source is refused.
warpline replay vadd --bypass site:0 >a; warpline replay vadd --bypass bypass.list | cmp - a; printf 'warpline bypass 1\nargument a\n' | warpline replay vadd --bypass - | cmp - a; warpline replay vadd --bypass bypass-elsewhere.list
