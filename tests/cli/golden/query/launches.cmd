warpline query incomplete --of launches --columns launch,kernel,fate,reason,accesses
