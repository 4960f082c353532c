internal import COpenSSL

/// How long OpenSSL lives.
package enum OpenSSLLifetime {
  /// Lets OpenSSL live as long as the process.
  ///
  /// By default it frees everything in `exit`, while threads that have used it still run or end,
  /// and these then read what was freed. The operating system takes the memory back anyway. Holds
  /// only if it comes before any other use of OpenSSL.
  package static func endsWithProcess() { once }

  private static let once: Void = { _ = portolan_keep_openssl() }()
}
