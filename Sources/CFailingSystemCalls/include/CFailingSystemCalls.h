// Makes one of the system calls of a program under test fail.
//
// The program defines the calls itself, so that everything in it and in its shared libraries comes here
// before it comes to the C library. These variables of the environment control it; without the first
// every call goes on as it was:
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
