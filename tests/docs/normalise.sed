# What is put in place of text that differs from run to run, in what is shown and in what is printed.
# Times: of our programs' result lines, and in sentences.
s/(_ms=)[0-9.]+/\1N/g
s/[0-9][0-9,]*\.[0-9]+ s\b/N s/g
# Bytes on disk depend on zstd's version and on addresses; so do bytes per access.
s/^(on disk +)[0-9,]+ bytes.*/\1N bytes/
# A bound that is made of times.
s/^(slow-down at most )[0-9.]+ times/\1N times/
s/(; without both at most )[0-9.]+ times/\1N times/
# The version, alone or in JSON.
s/(warpline )[0-9]+\.[0-9]+\.[0-9]+/\1VERSION/
s/("warpline": ")[^"]*"/\1VERSION"/
