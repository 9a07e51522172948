warpline replay limited | grep -c .; warpline replay limited >/dev/null
