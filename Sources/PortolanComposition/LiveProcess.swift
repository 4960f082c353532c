internal import PortolanCrypto
internal import PortolanDesktop

/// Prepares a process before anything else.
public enum LiveProcess {
  /// Prepares the process for secrets and for its end.
  ///
  /// A crash then leaves no file of memory, which holds tokens and passwords; and `exit` frees
  /// nothing that threads still use.
  public static func prepare() {
    CoreFiles.forbid()
    OpenSSLLifetime.endsWithProcess()
  }
}
