import Foundation
import PortolanTestSupport

@testable import DemoPortal

/// A demo portal behind a socket.
struct ServedDemoPortal {
  /// The portal behind it.
  let portal: DemoPortal
  /// The address of the portal.
  let url: URL
  /// The clock on which it waits before it answers late.
  let waiting: ManualClock

  /// Serves a portal until `body` is done.
  static func serving(
    _ portal: DemoPortal, waiting: ManualClock = ManualClock(),
    isolation: isolated (any Actor)? = #isolation,
    _ body: (ServedDemoPortal) async throws -> Void
  ) async throws {
    let server = try DemoServer(portal)
    do {
      try await body(ServedDemoPortal(portal: portal, url: server.url, waiting: waiting))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// Serves the portal that `portolan demo-portal` serves, whose files go to `folder`.
  static func standard(
    folder: URL, isolation: isolated (any Actor)? = #isolation,
    _ body: (ServedDemoPortal) async throws -> Void
  ) async throws {
    let waiting = ManualClock()
    let clock = DemoClock(now: { Date() }, sleep: { try await waiting.sleep(for: $0) })
    let portal = try await DemoPortal.standard(
      state: DemoState(seed: 1, clock: clock, folder: folder))
    try await serving(portal, waiting: waiting, body)
  }

  /// The web map *Explore Maine*.
  static let exploreMaine = DemoIdentifiers(seed: 1).itemID(DemoContent.Name.exploreMaine)

  /// The web map *Lighthouses*.
  static let lighthouses = "b1fd0aae27bc2ee8f5942de0169460d6"

  /// *Naperville Water Company Mapbook*.
  static let naperville = "0f2bad5249924754376b8f75ddbe5681"

  /// A file that an area consists of.
  enum AreaFile: String {
    case features = "geodatabase"
    case tiles
  }

  /// Lets files of all areas come late: when the portal is mended.
  func delay(_ file: AreaFile) async {
    for area in ["Casco Bay", "Acadia", "Katahdin"] {
      await addFault(.latency(.seconds(3600)), to: file, of: area)
    }
  }

  /// Lets something go wrong with a file of an area.
  func addFault(
    _ kind: DemoFault.Kind, to file: AreaFile, of area: String, count: Int? = nil
  ) async {
    let id = DemoIdentifiers(seed: 1).itemID("\(file.rawValue)/\(area)")
    await portal.state.add(DemoFault(kind, path: "*/\(id)/data", count: count))
  }

  /// Puts a newer version of an item on the portal.
  func bump(_ id: String) async throws { try await portal.state.touch(id) }

  /// Lets nothing go wrong any more; what was late is answered now.
  func mend() async {
    await portal.state.removeFaults()
    waiting.advance(by: .seconds(7200))
  }
}
