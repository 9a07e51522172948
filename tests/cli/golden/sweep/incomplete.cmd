warpline sweep incomplete --l1-ways 1
