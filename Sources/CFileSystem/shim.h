// What Linux does beyond POSIX: renaming not over what is there, two names at once, locks that belong
// to an open file, not to a process, and when a file was created. The C library shows these only to
// programs that ask for its extensions.
#ifndef CFILESYSTEM_SHIM_H
#define CFILESYSTEM_SHIM_H

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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

/// Locks one byte of an open file, which need not reach so far, until the file is closed; 0, or -1
/// with `errno`, `EAGAIN` if another open file has it.
static inline int cfilesystem_lock_byte(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/// Takes a shared lock on a byte, which excludes exclusive ones; 0, or -1 with
/// `errno`, `EAGAIN` if it is locked exclusively.
static inline int cfilesystem_share_byte(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/// Unlocks a byte that ``cfilesystem_lock_byte`` locked; 0, or -1 with `errno`.
static inline int cfilesystem_unlock_byte(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/// Whether another open file has that byte locked, or, if `alone`, locked for itself alone: 1 or 0, or
/// -1 with `errno`.
static inline int cfilesystem_byte_is_locked(int descriptor, long long offset, int alone) {
  short type = alone ? F_RDLCK : F_WRLCK;
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  if (fcntl(descriptor, 36 /* F_OFD_GETLK */, &lock) != 0) return -1;
  return lock.l_type == F_UNLCK ? 0 : 1;
}

/// Where, among so many bytes from `offset` on, another open file has one locked, shared or alone; -2 if
/// none is, or -1 with `errno`.
static inline long long cfilesystem_find_locked_byte(
    int descriptor, long long offset, long long length) {
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = length};
  if (fcntl(descriptor, 36 /* F_OFD_GETLK */, &lock) != 0) return -1;
  return lock.l_type == F_UNLCK ? -2 : lock.l_start;
}

/// Whether a file keeps its number when its file system is mounted anew: 1 or 0, and 1 where that is not
/// known.
static inline int cfilesystem_keeps_numbers(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return 1;
  switch ((unsigned int)status.f_type) {
    case 0x4d44u:      // FAT
    case 0x2011bab0u:  // exFAT
    case 0x517bu:      // SMB
    case 0xff534d42u:
    case 0xfe534d42u: return 0;
    default: return 1;
  }
}

/// Whether files can have a second name there: 1 or 0, and 1 where that is not known.
static inline int cfilesystem_knows_links(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return 1;
  switch ((unsigned int)status.f_type) {
    case 0x4d44u:      // FAT
    case 0x2011bab0u:  // exFAT
      return 0;
    default: return 1;
  }
}

/// When a file was created, in seconds since 1970; -1 where the file system does not say.
static inline long long cfilesystem_created(const char *path) {
  // As the kernel lays out what it tells; the date of creation is 80 bytes from its beginning.
  struct {
    unsigned int mask;
    unsigned char before[76];
    long long seconds;
    unsigned char after[168];
  } status;
  unsigned int created = 0x800u;
  if (syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, created, &status) != 0) return -1;
  return (status.mask & created) != 0 ? status.seconds : -1;
}

/// Which mount a file or folder, or what a link leads to, is in; -1 where the system does not say.
static inline long long cfilesystem_mount(const char *path) {
  // As above; the number of the mount is 144 bytes from its beginning.
  struct {
    unsigned int mask;
    unsigned char before[140];
    long long mount;
    unsigned char after[104];
  } status;
  unsigned int mount = 0x1000u;
  if (syscall(SYS_statx, AT_FDCWD, path, 0, mount, &status) != 0) return -1;
  return (status.mask & mount) != 0 ? status.mount : -1;
}

#endif
