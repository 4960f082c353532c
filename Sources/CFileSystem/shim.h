// Renaming as Linux does it beyond POSIX: not over what is there, and two names at once. The C
// library shows these only to programs that ask for its extensions.
#ifndef CFILESYSTEM_SHIM_H
#define CFILESYSTEM_SHIM_H

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...);

/// Gives `from` the name `to`, which nothing may have; 0, or -1 with `errno`.
static inline int cfilesystem_move(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u /* RENAME_NOREPLACE */);
}

/// Gives each the name of the other; 0, or -1 with `errno`.
static inline int cfilesystem_exchange(const char *first, const char *second) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, 2u /* RENAME_EXCHANGE */);
}

#endif
