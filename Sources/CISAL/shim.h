#include <isa-l/crc64.h>
#include <isa-l/igzip_lib.h>
