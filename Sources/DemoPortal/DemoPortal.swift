internal import Foundation
internal import PortolanJSON

/// A portal on this machine that answers as ArcGIS Online does; a test instrument.
public struct DemoPortal: Sendable {
  /// What changes.
  public let state: DemoState

  private let router: Router

  /// Creates a portal over `state`, with its hosted services if there are any.
  public init(state: DemoState, services: DemoServices? = nil) {
    self.state = state
    router = Self.router(state, services: services)
  }

  /// Every address of the portal and its servers.
  public static func router(_ state: DemoState, services: DemoServices? = nil) -> Router {
    var router = Router()
    PortalRoutes(state: state).add(to: &router)
    services?.add(to: &router)
    return router
  }

  /// Answers `request`; a failure is the portal's error envelope.
  public func answer(_ request: DemoRequest) async -> DemoResponse {
    do {
      return try await handled(request)
    } catch let failure as DemoFailure {
      return .failure(failure)
    } catch {
      return .failure(DemoFailure(code: 500, error.localizedDescription))
    }
  }

  private func handled(_ request: DemoRequest) async throws -> DemoResponse {
    guard let found = router.route(of: request.segments) else {
      throw DemoFailure.notFound(request.path)
    }
    var request = request
    request.captures = found.captures
    if let realm = found.route.realm {
      request.viewer = try await state.viewer(of: request, in: realm)
    }
    return try await found.route.handler(request)
  }
}
