#define _GNU_SOURCE
#include "CFailingSystemCalls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// Not for the thread sanitizer: threads make system calls while they end, when it has forgotten them, and
// it would report the addresses below, to which all threads write the same.
#if __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#endif

static atomic_long count;
static char under[PATH_MAX];
static size_t under_length;
static char kinds[256];
static char report[PATH_MAX];
static long first_failing, last_failing;
static int failing_errno = EIO;
static atomic_int is_ready;

// MARK: - Configuration

static void copy_variable(const char *name, char *target, size_t size) {
  const char *value = getenv(name);
  if (value) snprintf(target, size, "%s", value);
}

static long number_variable(const char *name, long otherwise) {
  const char *value = getenv(name);
  return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void read_configuration(void) {
  copy_variable("FAILING_CALLS_UNDER", under, sizeof under);
  copy_variable("FAILING_CALLS_KINDS", kinds, sizeof kinds);
  copy_variable("FAILING_CALLS_REPORT", report, sizeof report);
  under_length = strlen(under);
  first_failing = number_variable("FAILING_CALLS_NTH", 0);
  last_failing = number_variable("FAILING_CALLS_LAST", first_failing);
  failing_errno = (int)number_variable("FAILING_CALLS_ERRNO", EIO);
  atomic_store(&is_ready, under_length > 0);
}

// Straight to the kernel, so that reporting is never counted.
static void append_to_report(const char *line) {
  if (!report[0]) return;
  long file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, strlen(line));
  syscall(SYS_close, file);
}

__attribute__((destructor)) static void report_count(void) {
  if (!atomic_load(&is_ready)) return;
  char line[64];
  snprintf(line, sizeof line, "count %ld\n", atomic_load(&count));
  append_to_report(line);
}

// MARK: - Deciding

static int counts_kind(const char *kind) {
  size_t length = strlen(kind);
  for (const char *place = strstr(kinds, kind); place; place = strstr(place + 1, kind)) {
    char end = place[length];
    if ((place == kinds || place[-1] == ',') && (end == 0 || end == ',')) return 1;
  }
  return 0;
}

static int is_under(const char *path) {
  return path && strncmp(path, under, under_length) == 0;
}

// Whether this call is the one that fails; sets errno then.
static int fails(const char *kind, const char *path) {
  if (!atomic_load(&is_ready) || !counts_kind(kind) || !is_under(path)) return 0;
  long number = atomic_fetch_add(&count, 1) + 1;
  if (number < first_failing || number > last_failing) return 0;
  char line[PATH_MAX + 64];
  snprintf(line, sizeof line, "failed %s %s\n", kind, path);
  append_to_report(line);
  errno = failing_errno;
  return 1;
}

static int fails_on_descriptor(const char *kind, int descriptor) {
  if (!atomic_load(&is_ready) || !counts_kind(kind)) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return fails(kind, path);
}

// A path as the kernel would find it, for the calls that take a folder's descriptor.
static const char *resolved(int folder, const char *path, char *buffer) {
  if (!path || path[0] == '/' || folder == AT_FDCWD) return path;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
  if (length <= 0) return path;
  snprintf(buffer + length, (size_t)(PATH_MAX - length), "/%s", path);
  return buffer;
}

#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// MARK: - Opening

#define OPEN_MODE(flags, mode) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = (mode_t)va_arg(list, int); \
    va_end(list); \
  }

int open(const char *path, int flags, ...) {
  OPEN_MODE(flags, mode)
  if (fails("open", path)) return -1;
  NEXT(open);
  return next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  OPEN_MODE(flags, mode)
  if (fails("open", path)) return -1;
  NEXT(open64);
  return next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  OPEN_MODE(flags, mode)
  char buffer[PATH_MAX];
  if (fails("open", resolved(folder, path, buffer))) return -1;
  NEXT(openat);
  return next(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  OPEN_MODE(flags, mode)
  char buffer[PATH_MAX];
  if (fails("open", resolved(folder, path, buffer))) return -1;
  NEXT(openat64);
  return next(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
  if (fails("open", path)) return NULL;
  NEXT(fopen);
  return next(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  if (fails("open", path)) return NULL;
  NEXT(fopen64);
  return next(path, mode);
}

// The C library opens the folder by itself, past `open`.
DIR *opendir(const char *path) {
  if (fails("open", path)) return NULL;
  NEXT(opendir);
  return next(path);
}

// MARK: - Writing

ssize_t write(int file, const void *bytes, size_t size) {
  if (fails_on_descriptor("write", file)) return -1;
  NEXT(write);
  return next(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  if (fails_on_descriptor("write", file)) return -1;
  NEXT(pwrite);
  return next(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  if (fails_on_descriptor("write", file)) return -1;
  NEXT(pwrite64);
  return next(file, bytes, size, offset);
}

ssize_t writev(int file, const struct iovec *vectors, int vector_count) {
  if (fails_on_descriptor("write", file)) return -1;
  NEXT(writev);
  return next(file, vectors, vector_count);
}

int ftruncate(int file, off_t size) {
  if (fails_on_descriptor("write", file)) return -1;
  NEXT(ftruncate);
  return next(file, size);
}

int ftruncate64(int file, off64_t size) {
  if (fails_on_descriptor("write", file)) return -1;
  NEXT(ftruncate64);
  return next(file, size);
}

// MARK: - Making durable

int fsync(int file) {
  if (fails_on_descriptor("fsync", file)) return -1;
  NEXT(fsync);
  return next(file);
}

int fdatasync(int file) {
  if (fails_on_descriptor("fsync", file)) return -1;
  NEXT(fdatasync);
  return next(file);
}

// MARK: - Names

int rename(const char *from, const char *to) {
  if (fails("rename", to)) return -1;
  NEXT(rename);
  return next(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  char buffer[PATH_MAX];
  if (fails("rename", resolved(to_folder, to, buffer))) return -1;
  NEXT(renameat);
  return next(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  char buffer[PATH_MAX];
  if (fails("rename", resolved(to_folder, to, buffer))) return -1;
  NEXT(renameat2);
  return next(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
  if (fails("rename", to)) return -1;
  NEXT(link);
  return next(from, to);
}

int mkdir(const char *path, mode_t mode) {
  if (fails("mkdir", path)) return -1;
  NEXT(mkdir);
  return next(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  if (fails("mkdir", resolved(folder, path, buffer))) return -1;
  NEXT(mkdirat);
  return next(folder, path, mode);
}

int unlink(const char *path) {
  if (fails("unlink", path)) return -1;
  NEXT(unlink);
  return next(path);
}

int unlinkat(int folder, const char *path, int flags) {
  char buffer[PATH_MAX];
  if (fails("unlink", resolved(folder, path, buffer))) return -1;
  NEXT(unlinkat);
  return next(folder, path, flags);
}

int rmdir(const char *path) {
  if (fails("unlink", path)) return -1;
  NEXT(rmdir);
  return next(path);
}

// MARK: - Locks

int flock(int file, int operation) {
  if (!(operation & LOCK_UN) && fails_on_descriptor("lock", file)) return -1;
  NEXT(flock);
  return next(file, operation);
}

// MARK: - Calls by number

// `renameat2` is younger than some programs' C library and is called by its number.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (int index = 0; index < 6; index++) a[index] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2 || number == SYS_renameat) {
    char buffer[PATH_MAX];
    if (fails("rename", resolved((int)a[2], (const char *)a[3], buffer))) return -1;
  }
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#if __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute pop
#endif
