internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// A portal on this machine that answers as ArcGIS Online does; a test instrument.
public struct DemoPortal: Sendable {
  /// The mutable state.
  public let state: DemoState

  private let router: Router

  /// Creates a portal over `state`, with its hosted services if there are any.
  public init(state: DemoState, services: DemoServices? = nil) {
    self.init(state: state, services: services, content: nil)
  }

  /// Creates a portal that makes map areas from `content`, if there is some.
  init(state: DemoState, services: DemoServices?, content: DemoContent?) {
    self.state = state
    var router = Self.router(state, services: services)
    if let content { PackagingRoutes(state: state, content: content).add(to: &router) }
    self.router = router
  }

  /// Every address of the portal and its servers.
  public static func router(_ state: DemoState, services: DemoServices? = nil) -> Router {
    var router = Router()
    PortalRoutes(state: state).add(to: &router)
    TokenRoutes(state: state).add(to: &router)
    AuthorizeRoutes(state: state).add(to: &router)
    GrantRoutes(state: state).add(to: &router)
    SearchRoutes(state: state).add(to: &router)
    ItemRoutes(state: state).add(to: &router)
    FolderRoutes(state: state).add(to: &router)
    ItemEditingRoutes(state: state).add(to: &router)
    services?.add(to: &router)
    ControlRoutes(state: state).add(to: &router)
    return router
  }

  /// Answers `request`; a failure is the portal's error envelope.
  ///
  /// It is exempt from the faults in force.
  public func answer(_ request: DemoRequest) async -> DemoResponse {
    do {
      return try await handled(request)
    } catch let failure as DemoFailure {
      return .failure(failure)
    } catch {
      return .failure(DemoFailure(code: 500, error.localizedDescription))
    }
  }

  /// Answers `request` with the faults that are in force; waits where they say so.
  func deliver(_ request: DemoRequest) async -> DemoDelivery {
    let isControl = request.segments.first == ControlRoutes.root
    let faults = isControl ? [] : await state.faults(for: request.path)
    var mishaps = DemoMishaps()
    for fault in faults { fault.add(to: &mishaps) }
    if faults.contains(.expiredToken), let token = request.token { await state.expire(token) }
    if let delay = mishaps.delay {
      // Only a cancelled request wakes early, and its answer is not read.
      try? await state.clock.sleep(delay)
    }
    var response = faults.lazy.compactMap(\.replacement).first
    if response == nil, !mishaps.dropsConnection { response = await answer(request) }
    var answered = response ?? DemoResponse()
    if let origin = request.headers["Origin"] { answered.allow(origin: origin) }
    for fault in faults { fault.change(&answered) }
    if mishaps.sparesBody { answered.compress(for: request) }
    return DemoDelivery(answered, to: request, mishaps: mishaps)
  }

  private func handled(_ request: DemoRequest) async throws -> DemoResponse {
    var request = request
    // Enterprise portals live below a web context; this one answers with it and without.
    if request.segments.first?.lowercased() == "portal" { request.segments.removeFirst() }
    guard let found = router.route(of: request.segments) else {
      throw DemoFailure.notFound(request.path)
    }
    request.captures = found.captures
    if let realm = found.route.realm {
      request.viewer = try await state.viewer(of: request, in: realm)
    }
    let response = try await found.route.handler(request)
    return request.asksForPage(of: response) ? .page(of: response, at: request.path) : response
  }
}
