public import Foundation
internal import PortolanLocks

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A server on a port of this machine that sends exactly what a test asks it to.
///
/// It has a thread for each connection and knows nothing of HTTP but where a request ends, so that
/// answers may be as wrong as they like.
public final class ScriptedServer: Sendable {
  /// A request as it arrived.
  public struct Request: Hashable, Sendable {
    /// The first line, for example `GET /x HTTP/1.1`.
    public var line: String
    /// The header lines.
    public var headers: [String]
    /// The body, if a `Content-Length` announced one.
    public var body: Data
    /// The number of the connection it came on, from 0.
    public var connection: Int

    /// The path with its query.
    public var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    /// The value of a header, whatever the case of its name.
    public subscript(name: String) -> String? {
      let prefix = name.lowercased() + ":"
      return headers.first { $0.lowercased().hasPrefix(prefix) }
        .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The reaction of the server to a request.
  public enum Step: Sendable {
    /// Sends bytes.
    case send(Data)
    /// Ends the connection as one does that has said everything.
    case close
    /// Ends the connection as one does that has crashed (RST).
    case reset
    /// Waits, in silence, until the other side ends the connection.
    case hang
    /// Waits until the test lets it continue.
    case wait(Gate)

    /// Sends text, with its line ends as they are.
    public static func text(_ text: String) -> Step { .send(Data(text.utf8)) }
  }

  /// Something that a step waits for.
  public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a closed gate.
    public init() {}

    /// Lets one step through.
    public func open() { semaphore.signal() }

    fileprivate func pass() { semaphore.wait() }
  }

  private struct State {
    var requests: [Request] = []
    var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var endings: [CheckedContinuation<Void, Never>] = []
    var connections: Set<Int32> = []
    var connectionCount = 0
    var endedCount = 0
  }

  private let listener: Int32
  private let answer: @Sendable (Request) -> [Step]
  private let state = Locked(State())

  /// The port.
  public let port: Int

  /// Starts a server that answers each request with the steps that `answer` gives.
  public init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (socket, size) = (listener, length)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && listen(socket, 128) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Serves while `body` runs.
  public func run<Value>(_ body: (ScriptedServer) async throws -> Value) async throws -> Value {
    Thread { self.accept() }.start()
    defer { stop() }
    return try await body(self)
  }

  /// The address of a path on it.
  public func url(_ path: String = "/", host: String = "127.0.0.1") -> URL {
    URL(string: "http://\(host):\(port)\(path)") ?? URL(filePath: path)
  }

  /// The requests so far.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// How many connections have been made.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Waits until `count` requests have arrived.
  public func requestArrived(count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        guard state.requests.count < count else { return true }
        state.arrivals.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Waits until a connection has ended; each ending counts once.
  public func connectionEnded() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        guard state.endedCount == 0 else {
          state.endedCount -= 1
          return true
        }
        state.endings.append(continuation)
        return false
      }
      if hasEnded { continuation.resume() }
    }
  }

  private func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in state.withLock({ $0.connections }) {
      shutdown(connection, Int32(SHUT_RDWR))
    }
  }

  private func accept() {
    while true {
      let connection = Glibc.accept(listener, nil, nil)
      if connection < 0 && errno == EINTR { continue }
      guard connection >= 0 else { break }
      let number = state.withLock { state in
        state.connections.insert(connection)
        defer { state.connectionCount += 1 }
        return state.connectionCount
      }
      Thread { self.serve(connection, number) }.start()
    }
    close(listener)
  }

  private func serve(_ connection: Int32, _ number: Int) {
    var reader = ScriptedRequestReader(connection: connection, number: number)
    serving: while let request = reader.next() {
      remember(request)
      for step in answer(request) {
        guard ScriptedConnection.carryOut(step, on: connection) else { break serving }
      }
    }
    let ending = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.connections.remove(connection)
      guard state.endings.isEmpty else { return state.endings.removeFirst() }
      state.endedCount += 1
      return nil
    }
    close(connection)
    ending?.resume()
  }
}

extension ScriptedServer {
  private func remember(_ request: Request) {
    let due = state.withLock { state in
      state.requests.append(request)
      let due = state.arrivals.filter { $0.count <= state.requests.count }
      state.arrivals.removeAll { $0.count <= state.requests.count }
      return due
    }
    for arrival in due { arrival.continuation.resume() }
  }
}

extension ScriptedServer.Gate {
  func waitUntilOpen() { pass() }
}
