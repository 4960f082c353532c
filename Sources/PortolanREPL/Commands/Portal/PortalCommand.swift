internal import PortolanApp

/// A command on a portal: the one that `--portal` names, else the one signed in to, else ArcGIS
/// Online.
protocol PortalCommand: Command {
  /// Does the work with the portal's screens.
  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws
    -> CommandResult
}

extension PortalCommand {
  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let screens = session.app.portal else {
      throw Problem(message: "This build of Portolan has no network.", kind: .network)
    }
    return try await run(with: screens, in: session)
  }
}
