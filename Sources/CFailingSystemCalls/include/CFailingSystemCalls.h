// A library that is preloaded into a program under test and makes one of its system calls fail.
//
// Nothing links against it; `LD_PRELOAD` brings it into a child, and these variables of the child's
// environment control it:
//
//   FAILING_CALLS_UNDER   the folder whose files are meant; calls on other files are left alone
//   FAILING_CALLS_KINDS   the calls that count: fsync,rename,open,write,mkdir,unlink,lock
//   FAILING_CALLS_NTH     which of them fails, from 1; 0 fails none and only counts
//   FAILING_CALLS_LAST    the last one that fails; as the first, unless it is set
//   FAILING_CALLS_ERRNO   the error number that the failing call reports
//   FAILING_CALLS_REPORT  a file that gets a line "failed KIND PATH" for each call that failed, and
//                         a line "count N" when the program ends
#ifndef CFAILINGSYSTEMCALLS_H
#define CFAILINGSYSTEMCALLS_H
#endif
