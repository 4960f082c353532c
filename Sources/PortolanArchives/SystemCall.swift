internal import Glibc

/// What the operating system says about its own calls.
enum SystemCall {
  /// Why the last call of this thread failed, in the system's words.
  static func failure() -> String { unsafe String(cString: strerror(errno)) }
}
