public import Foundation
public import PortolanApp

/// The demo portal behind a web app that shows one.
@MainActor
public protocol WebDemo: Sendable {
  /// The portal.
  var portal: URL { get }
  /// Who can sign in to it.
  var accounts: [DemoPortalInformation.Account] { get }

  /// The id of a web map with areas that can be taken offline.
  var webMap: String { get }

  /// Ends the portal, and informs the app that there is no network.
  func cutNetwork() async

  /// Starts the portal again where it was, and informs the app that there is a network.
  ///
  /// - Throws: An error if the portal cannot be started; the network is still cut then.
  func restoreNetwork() async throws
}
