public import Foundation

/// Sets the stage for a tour that shows what taking a map offline is like.
public protocol TourStaging: Sendable {
  /// Starts a portal on this machine and an app with an empty home of its own.
  @MainActor func begin() async throws -> any TourStage
}

/// An app that knows a portal of its own, and whose network can be cut.
@MainActor
public protocol TourStage: Sendable {
  /// The app, with nothing stored and nothing open.
  var app: AppModel { get }
  /// The account of the tour.
  var account: AccountScreens { get }
  /// The portal.
  var portal: URL { get }
  /// The accounts that can sign in to it.
  var accounts: [DemoPortalInformation.Account] { get }
  /// The id of a web map with areas that can be taken offline.
  var webMap: String { get }

  /// Ends the portal, and informs the app that there is no network.
  func cutNetwork() async

  /// Starts the portal again where it was, and informs the app that there is a network; does nothing
  /// unless the network was cut.
  ///
  /// - Throws: An error if another program listens there by now; the network is still cut then.
  func restoreNetwork() async throws

  /// Removes everything that the tour has stored on this machine.
  func end() async
}
