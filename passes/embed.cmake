# cmake -DIN=FILE -DOUT=FILE.c -DNAME=NAME -P embed.cmake: a file as a C array, declared by llvm_api.h.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "#include \"llvm_api.h\"\n\nEMBEDDED(${NAME});\n"
    "const unsigned char ${NAME}[] = {\n${bytes}};\n"
    "const size_t ${NAME}_bytes = sizeof(${NAME});\n")
