warpline diff varied varied --l1-b 48k
