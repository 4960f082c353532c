import Foundation
import PortolanTransport
import Testing

@Suite struct OfflineGateTests {
  @Test func `Without a network nothing goes out`() async throws {
    let stub = ScriptedTransport(.response(200))
    let monitor = SwitchableNetworkMonitor(.offline(.notConnected))
    let gate = OfflineGate(stub, monitor: monitor)
    await #expect(throws: TransportError.offline) {
      try await gate.send(HTTPRequest("https://a.org/"))
    }
    #expect(stub.requests.isEmpty)
    monitor.set(.online(isMetered: nil))
    #expect(try await gate.send(HTTPRequest("https://a.org/")).status == 200)
  }

  @Test(arguments: [
    "http://localhost:80/", "http://127.0.0.1/", "http://[::1]/", "http://A.LOCALHOST",
  ])
  func `This machine is reached without a network, unless offline was asked for`(
    _ address: String
  ) async throws {
    let stub = ScriptedTransport(.response(200))
    let monitor = SwitchableNetworkMonitor(.offline(.notConnected))
    let gate = OfflineGate(stub, monitor: monitor)
    #expect(try await gate.send(HTTPRequest(address)).status == 200)
    monitor.set(.offline(.asked))
    await #expect(throws: TransportError.offline) { try await gate.send(HTTPRequest(address)) }
  }

  /// The ways in which a transfer ends whose network goes.
  private static let endings: [TransportError] = [
    .unknownHost("a.org"), .unreachable(host: "a.org", reason: "r"), .offline,
    .timedOut("https://a.org/", phase: .stall), .interrupted("https://a.org/", reason: "r"),
  ]

  @Test(arguments: endings)
  func `What fails since the network went fails for want of a network`(
    _ failure: TransportError
  ) async throws {
    let monitor = SwitchableNetworkMonitor()
    let gate = OfflineGate(FadingTransport(failure, cutting: monitor), monitor: monitor)
    await #expect(throws: TransportError.offline) {
      try await gate.send(HTTPRequest("https://a.org/"))
    }
  }

  @Test(
    arguments: [
      ("https://a.org/", .untrusted(host: "a.org", reason: "r")), ("https://a.org/", .cancelled),
      ("http://localhost/", .interrupted("http://localhost/", reason: "r")),
    ] as [(String, TransportError)])
  func `What fails for another reason keeps that when the network goes`(
    _ address: String, _ failure: TransportError
  ) async throws {
    let monitor = SwitchableNetworkMonitor()
    let gate = OfflineGate(FadingTransport(failure, cutting: monitor), monitor: monitor)
    await #expect(throws: failure) { try await gate.send(HTTPRequest(address)) }
  }

  /// The failures of a request that must not go out twice which leave no doubt that it has not
  /// arrived.
  private static let arrivals: [(TransportError, TransportError)] = [
    (.unreachable(host: "a.org", reason: "r"), .offline), (.unknownHost("a.org"), .offline),
    (.timedOut("https://a.org/", phase: .connect), .offline),
    (
      .timedOut("https://a.org/", phase: .firstByte),
      .timedOut("https://a.org/", phase: .firstByte)
    ),
    (
      .interrupted("https://a.org/", reason: "r"), .interrupted("https://a.org/", reason: "r")
    ),
  ]

  @Test(arguments: arrivals)
  func `What may have been carried out is not taken for what was never sent`(
    _ failure: TransportError, _ told: TransportError
  ) async throws {
    let monitor = SwitchableNetworkMonitor()
    let gate = OfflineGate(FadingTransport(failure, cutting: monitor), monitor: monitor)
    await #expect(throws: told) {
      try await gate.send(HTTPRequest("https://a.org/", method: .post))
    }
  }

  @Test(arguments: endings.filter { $0 != .offline })
  func `What fails while there is a network says how`(_ failure: TransportError) async throws {
    let gate = OfflineGate(
      ScriptedTransport(.failure(failure)), monitor: SwitchableNetworkMonitor())
    await #expect(throws: failure) { try await gate.send(HTTPRequest("https://a.org/")) }
  }

  @Test func `A host that only looks like this machine is not it`() async throws {
    let gate = OfflineGate(
      ScriptedTransport(.response(200)), monitor: FixedNetworkMonitor(.offline(.notConnected)))
    for address in ["http://localhost.org/", "http://notlocalhost/", "http://127.0.0.1.evil.org/"] {
      await #expect(throws: TransportError.offline) { try await gate.send(HTTPRequest(address)) }
    }
  }
}

/// A transport whose network goes while a request is under way.
private struct FadingTransport: HTTPTransport {
  private let failure: TransportError
  private let monitor: SwitchableNetworkMonitor

  init(_ failure: TransportError, cutting monitor: SwitchableNetworkMonitor) {
    self.failure = failure
    self.monitor = monitor
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    monitor.set(.offline(.notConnected))
    throw failure
  }
}
