#!/bin/sh
# clinfo.sh: every query that there is gets the driver's own answer.
. "$SOURCE_DIR/tests/real/real.sh"
needs clinfo clinfo
same all clinfo --raw
same human clinfo
passed
