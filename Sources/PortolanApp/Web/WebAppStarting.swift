public import Foundation

/// Starts the web app: the same screens in a browser.
public protocol WebAppStarting: Sendable {
  /// Starts it on this machine.
  ///
  /// - Parameters:
  ///   - port: The port to listen on, or 0 for one that is free.
  ///   - isDemo: Whether it shows a demo portal and a home of its own, which is removed at the end.
  ///   - folder: A folder whose packages are offered for import; none if `nil`.
  /// - Returns: The web app, which serves already.
  /// - Throws: An error if the port is taken, the folder cannot be read, or something that it needs is
  ///   not there.
  @MainActor func start(
    port: UInt16, isDemo: Bool, watching folder: URL?
  ) async throws -> any RunningWebApp
}

/// A web app that is being served.
@MainActor
public protocol RunningWebApp: Sendable {
  /// The address to open, with what lets that browser in.
  var url: URL { get }

  /// The address to open with what lets one browser in, once.
  ///
  /// For a program that gets it where other people on this machine may read it, as in the arguments
  /// of a process.
  var urlForOneBrowser: URL { get }

  /// Works on downloads and informs pages of changes, until the task is cancelled.
  func run() async

  /// Ends it.
  func stop() async
}
