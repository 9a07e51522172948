touch app; chmod +x app; WARPLINE_RECORDS=binary warpline record ./app; echo $?; WARPLINE_GROUPS=sm:99@gtx480 warpline record ./app
