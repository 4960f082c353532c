public import Foundation
internal import PortolanCrypto
internal import PortolanHTTPServer

/// A demo portal behind a socket on this machine.
///
/// It listens on 127.0.0.1 only. Call ``stop()`` when done: what is left running runs on.
public final class DemoServer: Sendable {
  /// The configuration of a server.
  public struct Configuration: Sendable {
    /// The port, or 0 for one that is free.
    public var port: UInt16 = 0

    /// Whether it speaks HTTPS, with a certificate of its own making.
    public var isSecure = false

    /// The most bytes that a request's body may have.
    public var bodyLimit = 64 << 20

    /// The number of threads; a connection needs none of its own.
    public var threads = 2

    /// The maximum number of open connections.
    public var connections = 10_000

    /// Whether what is sent is counted, for ``DemoServer/transfers``; it is sent more slowly then.
    public var countsTransfers = false

    /// Creates a configuration.
    public init(port: UInt16 = 0, isSecure: Bool = false) {
      self.port = port
      self.isSecure = isSecure
    }
  }

  /// The address of the portal, for example `https://localhost:41723`.
  public let url: URL

  /// The server's certificate as PEM, for clients that should trust it; `nil` without HTTPS.
  public let certificate: String?

  private let server: HTTPServer
  private let log: TransferLog?

  /// Starts serving `portal`.
  ///
  /// - Throws: ``DemoServerError`` if the port is taken or the certificate cannot be made.
  public init(
    _ portal: DemoPortal, _ configuration: Configuration = Configuration()
  ) throws(DemoServerError) {
    let scheme = configuration.isSecure ? "https" : "http"
    let identity = configuration.isSecure ? try Self.identity(portal.state.clock.now()) : nil
    log = configuration.countsTransfers ? TransferLog() : nil
    var settings = HTTPServer.Configuration(port: configuration.port)
    settings.identity = identity.map { ($0.certificate, $0.privateKey) }
    settings.bodyLimit = configuration.bodyLimit
    settings.threads = configuration.threads
    settings.connections = configuration.connections
    let handler = DemoHandler(portal: portal, scheme: scheme, log: log)
    do { server = try HTTPServer(settings, handler: handler) } catch {
      throw .cannotListen(port: configuration.port)
    }
    guard let url = URL(string: "\(scheme)://localhost:\(server.port)") else {
      throw .cannotListen(port: configuration.port)
    }
    self.url = url
    certificate = identity?.certificate
  }

  /// The transfers so far, if they are counted.
  public var transfers: [DemoTransfer] { log?.all ?? [] }

  /// Ends what is under way, closes every connection and frees the port.
  public func stop() async { await server.stop() }

  private static func identity(_ now: Date) throws(DemoServerError) -> SelfSignedCertificate {
    do {
      return try SelfSignedCertificate(for: ["localhost", "127.0.0.1", "::1"], from: now)
    } catch {
      throw .noCertificate(error.localizedDescription)
    }
  }
}

/// The reason why a server did not start.
public enum DemoServerError: Error, Hashable, Sendable {
  /// The port is taken, or may not be used.
  case cannotListen(port: UInt16)
  /// The certificate could not be made.
  case noCertificate(String)
}

extension DemoServerError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cannotListen(let port): "The demo portal cannot listen on port \(port)."
    case .noCertificate(let reason): "The demo portal's certificate cannot be made: \(reason)"
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cannotListen: "Choose another port above 1023, or none for a free one."
    case .noCertificate: "Serve without encryption."
    }
  }
}
