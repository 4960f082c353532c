public import Foundation

/// Opens listeners on this machine to which a browser can be redirected.
public protocol RedirectListening: Sendable {
  /// Opens one, for one answer.
  ///
  /// - Throws: ``SignInFailure/noRedirect(reason:)``.
  func open() async throws(PortalError) -> any RedirectListener
}

/// A listener on this machine that waits for a browser to be redirected to it.
public protocol RedirectListener: Sendable {
  /// The address to send the browser to.
  var redirectURI: String { get }

  /// Waits until a browser arrives for which `accepts` answers `true`; others are informed that this
  /// is no page for them.
  ///
  /// - Returns: The address that the browser asked for.
  /// - Throws: ``SignInFailure/timedOut(seconds:)``, ``PortalError/cancelled``.
  func answer(
    within seconds: Int, accepting accepts: @escaping @Sendable (URL) -> Bool
  ) async throws(PortalError) -> URL
}
