warpline query vadd "launch==1 && launch==1 && launch==1 && launch==1 && launch==1 && launch==1 && lunch==1 && launch==1 && launch==1 && launch==1 && launch==1"
