import Foundation
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanCurl

/// Sinks that wait for a disk.
@Suite(.timeLimit(.minutes(5))) struct BlockingSinkTests {
  private let transport = CurlTransport(CurlConfiguration(userAgent: "Portolan/test"))

  /// A sink whose calls wait until the test lets them go on.
  private final class SlowSink: HTTPBodySink {
    private let body = Mutex(Data())
    private let gate = DispatchSemaphore(value: 0)
    private let arrival: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    private let failure: TransportError?

    init(failingWith failure: TransportError? = nil) {
      self.failure = failure
      arrival = AsyncStream.makeStream()
    }

    var mayBlock: Bool { true }

    /// The bytes that have arrived.
    var received: Data { body.withLock { $0 } }

    /// Lets the sink go on.
    func open() { gate.signal() }

    /// Waits until the sink has been called.
    func called() async { for await _ in arrival.stream { break } }

    func begin(_ head: HTTPResponseHead) {
      arrival.continuation.yield()
      gate.wait()
    }

    func receive(_ bytes: RawSpan) throws(TransportError) {
      if let failure { throw failure }
      body.withLock { body in bytes.withUnsafeBytes { body.append(contentsOf: $0) } }
    }
  }

  /// A sink that wants pieces of a size.
  private final class GatheringSink: HTTPBodySink {
    let pieceSize: Int
    private let pieces = Mutex<[Data]>([])

    init(pieceSize: Int) { self.pieceSize = pieceSize }

    var mayBlock: Bool { true }

    /// The bytes that have arrived, call by call.
    var received: [Data] { pieces.withLock { $0 } }

    func begin(_ head: HTTPResponseHead) {}

    func receive(_ bytes: RawSpan) {
      let piece = bytes.withUnsafeBytes { Data($0) }
      pieces.withLock { $0.append(piece) }
    }
  }

  private static func answer(_ body: Data) -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"), .send(body)]
  }

  @Test func `A sink that waits for a disk holds up no other transfer`() async throws {
    try await ScriptedServer { _ in Self.answer(Data("here".utf8)) }.run { server in
      let sink = SlowSink()
      let slow = Task { try await transport.send(HTTPRequest(server.url("/slow")), into: sink) }
      await sink.called()
      let fast = try await transport.send(HTTPRequest(server.url("/fast")))
      #expect(fast.status == 200)
      sink.open()
      let head = try await slow.value
      #expect(head.status == 200)
      #expect(sink.received == Data("here".utf8))
    }
  }

  @Test func `A transfer pauses while its sink is behind, and loses no byte`() async throws {
    let body = Data((0..<(12 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    try await ScriptedServer { _ in Self.answer(body) }.run { server in
      let sink = SlowSink()
      let slow = Task { try await transport.send(HTTPRequest(server.url("/slow")), into: sink) }
      await sink.called()
      sink.open()
      let head = try await slow.value
      #expect(head.status == 200)
      #expect(sink.received == body)
    }
  }

  @Test(arguments: [0, 1, 100_000, 4 << 20])
  func `A sink gets pieces of the size that it wants, and the rest at the end`(
    pieceSize: Int
  ) async throws {
    let body = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    try await ScriptedServer { _ in Self.answer(body) }.run { server in
      let sink = GatheringSink(pieceSize: pieceSize)
      _ = try await transport.send(HTTPRequest(server.url()), into: sink)
      #expect(sink.received.reduce(Data(), +) == body)
      // The first comes with the head; no more is held back than half of what may wait.
      let whole = sink.received.dropFirst().dropLast()
      #expect(whole.allSatisfy { $0.count >= min(pieceSize, 1 << 19) })
    }
  }

  @Test func `What is less than a piece reaches the sink before the failure is reported`()
    async throws
  {
    try await ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close]
    }.run { server in
      let sink = GatheringSink(pieceSize: 100_000)
      await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(server.url()), into: sink)
      }
      #expect(sink.received == [Data("abc".utf8)])
    }
  }

  @Test func `An error thrown by a sink on its own queue ends the transfer with it`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    try await server.run { server in
      let sink = SlowSink(failingWith: .diskFull(file: "x", needed: 3))
      sink.open()
      await #expect(throws: TransportError.diskFull(file: "x", needed: 3)) {
        try await transport.send(HTTPRequest(server.url()), into: sink)
      }
      await server.connectionEnded()
    }
  }

  @Test func `A failure of the sink at the last byte is not taken for success`() async throws {
    try await ScriptedServer { _ in Self.answer(Data("abc".utf8)) }.run { server in
      let sink = SlowSink(failingWith: .storage(file: "x", reason: "y"))
      let task = Task { try await transport.send(HTTPRequest(server.url()), into: sink) }
      await sink.called()
      sink.open()
      await #expect(throws: TransportError.storage(file: "x", reason: "y")) {
        try await task.value
      }
    }
  }

  @Test func `After a cancellation the sink is not called any more`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    try await server.run { server in
      let sink = SlowSink()
      let task = Task { try await transport.send(HTTPRequest(server.url()), into: sink) }
      await sink.called()
      task.cancel()
      await server.connectionEnded()
      sink.open()
      await #expect(throws: TransportError.cancelled) { try await task.value }
      #expect(sink.received == Data("abc".utf8) || sink.received.isEmpty)
    }
  }
}
