internal import PortolanHTTPServer

/// A server of tiles that is running.
public struct RunningTileServer: Sendable {
  /// The addresses and layers that it serves.
  public let serving: TileServing
  private let server: HTTPServer
  private let finish: @Sendable () async -> Void

  init(
    _ server: HTTPServer, _ serving: TileServing, finish: @escaping @Sendable () async -> Void
  ) {
    self.server = server
    self.serving = serving
    self.finish = finish
  }

  /// Ends it, and notes which tiles were used.
  public func stop() async {
    await server.stop()
    await finish()
  }
}
