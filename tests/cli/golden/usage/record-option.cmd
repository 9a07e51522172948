warpline record --ouput x app
