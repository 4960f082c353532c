import Foundation
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport

/// A server of tiles in memory, whose answers a test chooses, and a clock that it moves.
final class TileServerStub: HTTPTransport {
  private struct State {
    var date = Date(timeIntervalSince1970: 1_767_225_600)
    var requests: [HTTPRequest] = []
    var answers: [String: (Int, Data, HTTPHeaders)] = [:]
    var fallback: (Int, HTTPHeaders) = (200, [:])
    var failure: TransportError?
    var underWay = 0
    var mostUnderWay = 0
  }

  private let state = Locked(State())

  var now: @Sendable () -> Date { { [state] in state.withLock { $0.date } } }
  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var paths: [String] { requests.map { $0.url.path() } }
  var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

  func move(by seconds: Double) { state.withLock { $0.date.addTimeInterval(seconds) } }

  /// Answers a path from now on.
  func answer(
    _ path: String, _ status: Int = 200, _ body: Data = TileServerStub.picture("x"),
    _ headers: HTTPHeaders = [:]
  ) { state.withLock { $0.answers[path] = (status, body, headers) } }

  /// Answers whatever else is asked with the picture of its path, or with this status.
  func answerOthers(_ status: Int, _ headers: HTTPHeaders = [:]) {
    state.withLock { $0.fallback = (status, headers) }
  }

  func fail(_ error: TransportError?) { state.withLock { $0.failure = error } }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    state.withLock { state in
      state.underWay += 1
      state.mostUnderWay = max(state.mostUnderWay, state.underWay)
    }
    defer { state.withLock { $0.underWay -= 1 } }
    await Task.yield()
    if Task.isCancelled { throw .cancelled }
    let (answer, failure) = state.withLock { state in
      state.requests.append(request)
      let path = request.url.path()
      let usual = (state.fallback.0, Self.picture(path), state.fallback.1)
      return (state.answers[path] ?? usual, state.failure)
    }
    if let failure { throw failure }
    let head = HTTPResponseHead(status: answer.0, headers: answer.2, url: request.url)
    try sink.begin(head)
    if answer.0 != 304 { try sink.receive(answer.1.bytes) }
    return head
  }

  /// Bytes that look like a PNG, from its beginning to its end.
  static func picture(_ text: String) -> Data {
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(text.utf8)
      + Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }
}

extension MapCache {
  /// A cache in the folder of the test.
  static func stub(
    _ server: TileServerStub, _ change: (inout MapCacheConfig) -> Void = { _ in },
    file: String = "MapCache.sqlite"
  ) throws -> MapCache {
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    change(&config)
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: file))
    return MapCache(withConfig: config, store: store, transport: server, now: server.now)
  }
}
