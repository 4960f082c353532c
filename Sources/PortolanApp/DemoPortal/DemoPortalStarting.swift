/// Starts demo portals: portals on this machine, for trying out and for tests.
public protocol DemoPortalStarting: Sendable {
  /// Starts one.
  func start(_ parameters: DemoPortalParameters) async throws -> any RunningDemoPortal
}

/// A demo portal that is being served.
public protocol RunningDemoPortal: Sendable {
  /// The addresses and accounts of the portal.
  var information: DemoPortalInformation { get }

  /// Makes the files of its items, so that no request waits for them later.
  func prepare() async throws

  /// Ends it and removes its files.
  func stop() async
}
