public import Foundation

/// A server of HTTP on the loopback interface of this machine.
///
/// It listens on 127.0.0.1 only. Call ``stop()`` when done: what is left running runs on.
public final class HTTPServer: Sendable {
  /// How a server is set up.
  public struct Configuration: Sendable {
    /// The port, or 0 for one that is free.
    public var port: UInt16 = 0
    /// The certificate and its private key as PEM, for HTTPS; `nil` for plain HTTP.
    public var identity: (certificate: String, privateKey: String)?
    /// The most bytes that a request's body may have.
    public var bodyLimit = 64 << 20
    /// How long it waits for the next bytes of a body before it drops the connection: a body may be
    /// shorter than its request says.
    public var bodyPatience = Duration.seconds(30)
    /// How many threads serve; a connection needs none of its own.
    public var threads = 2
    /// Whether a handler begins on the thread of its connection, and leaves it only to wait.
    ///
    /// For handlers that answer in microseconds: the other connections of the thread wait meanwhile.
    public var answersInPlace = false
    /// Room for a request's line and headers, and for sending; longer ones are refused.
    ///
    /// The library clears it for each request.
    public var headerBytes = 128 << 10
    /// How many connections may be open at a time.
    public var connections = 10_000

    /// Creates a configuration for plain HTTP.
    public init(port: UInt16 = 0) { self.port = port }
  }

  /// The port it listens on.
  public let port: UInt16

  private let daemon: MicroHTTPDaemon
  private let context: ServerContext

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - configuration: How.
  ///   - handler: Answers the requests.
  /// - Throws: ``HTTPServerError`` if the port is taken or may not be used.
  public init(
    _ configuration: Configuration, handler: any HTTPServerHandling
  ) throws(HTTPServerError) {
    context = ServerContext(configuration, handler: handler)
    daemon = try MicroHTTPDaemon(configuration, context: context)
    port = daemon.port
  }

  /// Ends what is under way, closes every connection and frees the port.
  public func stop() async {
    await context.tasks.stop()
    await daemon.stop()
  }
}

/// Why a server did not start.
public enum HTTPServerError: Error, Hashable, Sendable {
  /// The port is taken, or may not be used.
  case cannotListen(port: UInt16)
}

extension HTTPServerError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cannotListen(let port): "The server cannot listen on port \(port)."
    }
  }

  public var recoverySuggestion: String? {
    "Choose another port above 1023, or none for a free one."
  }
}
