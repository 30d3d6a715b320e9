# cmake -D input=FILE -D output=SOURCE -P Embed.cmake: C++ that defines tegula::device::bitcode() with the bytes of a file.
file(READ ${input} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${output} "#include \"lib/device/Bitcode.h\"

namespace {
const unsigned char bytes[] = {
${bytes}};
} // namespace

std::string_view tegula::device::bitcode() { return {reinterpret_cast<const char*>(bytes), sizeof(bytes)}; }
")
