import DemoPortal
import Foundation

/// A demo portal behind a socket.
struct ServedDemoPortal {
  /// What happens behind it.
  let portal: DemoPortal
  /// Where it is.
  let url: URL

  /// Serves a portal until `body` is done.
  static func serving(
    _ portal: DemoPortal,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (ServedDemoPortal) async throws -> Void
  ) async throws {
    let server = try DemoServer(portal)
    do {
      try await body(ServedDemoPortal(portal: portal, url: server.url))
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
    let portal = try await DemoPortal.standard(state: DemoState(seed: 1, folder: folder))
    try await serving(portal, body)
  }
}
