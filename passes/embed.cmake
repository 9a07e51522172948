# cmake -DIN=FILE -DOUT=FILE.c -DNAME=NAME [-DHEADER=FILE.h] -P embed.cmake: a file as a C array.
# HEADER, where the array is declared, is probe_bitcode.h unless given.
if(NOT HEADER)
    set(HEADER probe_bitcode.h)
endif()
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}};\n"
    "const size_t ${NAME}_bytes = sizeof(${NAME});\n")
