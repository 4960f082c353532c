import Foundation
import PortolanHTTPServer
import PortolanTransport
import Synchronization

/// Answers with what it was asked.
final class EchoHandler: HTTPServerHandling {
  private let waiting = Atomic<Int>(0)

  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    switch request.target {
    case "/stream": .init(body: .stream(CountingBody(end: .end), length: nil))
    case "/cut": .init(body: .stream(CountingBody(end: .cut), length: nil))
    case "/wait": wait()
    case "/unchanged": .init(status: 304, headers: ["Content-Length": "5"])
    case "/later": await later { await Task.yield() }
    case "/yielding": await later { for _ in 0..<10 { await Task.yield() } }
    case "/elsewhere": await later { await Task.detached {}.value }
    case "/waiting": .init(body: .bytes(Data("\(waiting.load(ordering: .relaxed))".utf8)))
    default:
      HTTPServerResponse(
        status: 201, headers: ["X-Answer": "yes"],
        body: .bytes(
          Data("\(request.method) \(request.target) \(request.headers["X-Word"] ?? "") ".utf8)
            + request.body))
    }
  }

  func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse? {
    request.target == "/unwanted" ? HTTPServerResponse(status: 403) : nil
  }

  func refusal(status: Int) -> HTTPServerResponse { HTTPServerResponse(status: status) }

  private func later(_ wait: () async -> Void) async -> HTTPServerResponse {
    await wait()
    return HTTPServerResponse(body: .bytes(Data("at last".utf8)))
  }

  private func wait() -> HTTPServerResponse {
    waiting.add(1, ordering: .relaxed)
    return HTTPServerResponse(body: .stream(EndlessBody(), length: nil))
  }
}

/// A hundred pieces, with a pause before each.
private final class CountingBody: HTTPServerBody {
  private struct State {
    var number = 0
    var hasPaused = false
    var rest = Data()
  }

  private let end: HTTPServerBodyStep
  private let state = Mutex(State())

  init(end: HTTPServerBodyStep) { self.end = end }

  func next(at position: Int, limit: Int) -> HTTPServerBodyStep {
    state.withLock { state in
      if state.rest.isEmpty {
        guard state.number < 100 else { return end }
        guard state.hasPaused else {
          state.hasPaused = true
          return .wait { await Task.yield() }
        }
        state.hasPaused = false
        state.number += 1
        state.rest = Data("piece \(state.number)\n".utf8)
      }
      let piece = Data(state.rest.prefix(limit))
      state.rest = Data(state.rest.dropFirst(limit))
      return .bytes(piece)
    }
  }
}

/// A body that never has anything to send.
private struct EndlessBody: HTTPServerBody {
  func next(at position: Int, limit: Int) -> HTTPServerBodyStep {
    // Ends when the server stops, and then so does the connection.
    .wait { try? await Task.sleep(for: .seconds(3600)) }
  }
}
