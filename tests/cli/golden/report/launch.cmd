warpline report --launch 1 --gpu v100 mixed; warpline report --launch 3 mixed
