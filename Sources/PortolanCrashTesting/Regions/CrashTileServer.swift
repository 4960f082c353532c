internal import Foundation
internal import PortolanHTTPServer
internal import PortolanTiles
internal import PortolanTransport
internal import Synchronization

/// A server of tiles that are all different, which remembers what it was asked for.
final class CrashTileServer: HTTPServerHandling {
  private struct State {
    var asked: [(tile: TileID, agent: String?)] = []
    var answered = 0
    var trigger: (after: Int, action: @Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// What a process has asked for since the last look, in order.
  ///
  /// Requests of one that was killed may be read only after the next has begun.
  func takeRequests(of process: pid_t) -> [TileID] {
    let agent = RegionChild.agent(of: process)
    return state.withLock { state in
      defer { state.asked = [] }
      return state.asked.filter { $0.agent == agent }.map(\.tile)
    }
  }

  /// Does something once so many more requests were answered.
  func after(_ count: Int, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.trigger = ($0.answered + count, action) }
  }

  func forgetTrigger() { state.withLock { $0.trigger = nil } }

  /// The bytes of a tile: what a PNG begins with, the address, as much more as the address says, and
  /// what a PNG ends with.
  static func picture(of tile: TileID) -> Data {
    let head = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let text = "\(tile.level)/\(tile.column)/\(tile.row)"
    let end = Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    return head + Data(text.utf8)
      + Data(repeating: 7, count: (tile.row * 31 + tile.column) % 900) + end
  }

  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    let numbers = request.target.split(separator: "/").compactMap { Int($0.prefix { $0 != "." }) }
    guard numbers.count == 3 else { return HTTPServerResponse(status: 404) }
    let tile = TileID(level: numbers[0], row: numbers[2], column: numbers[1])
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      state.asked.append((tile, request.headers["User-Agent"]))
      state.answered += 1
      guard let trigger = state.trigger, state.answered >= trigger.after else { return nil }
      state.trigger = nil
      return trigger.action
    }
    action?()
    let tag = "\"\(request.target)\""
    guard request.headers["If-None-Match"] != tag else {
      return HTTPServerResponse(status: 304, headers: ["ETag": tag])
    }
    return HTTPServerResponse(
      headers: ["Content-Type": "image/png", "ETag": tag, "Cache-Control": "max-age=86400"],
      body: .bytes(Self.picture(of: tile)))
  }

  func refusal(status: Int) -> HTTPServerResponse { HTTPServerResponse(status: status) }
}
