internal import Foundation
internal import PortolanTransport

/// An application that people may sign in to the portal with.
public struct DemoApplication: Hashable, Sendable {
  /// The client id.
  public var clientID: String

  /// The secret that identifies the application when no person signs in; `nil` for an application
  /// on a device.
  public var secret: String?

  /// Creates an application.
  public init(clientID: String, secret: String? = nil) {
    self.clientID = clientID
    self.secret = secret
  }

  /// The applications that every demo portal knows (Docs/DEMO-PORTAL.md).
  public static let standard = [
    DemoApplication(clientID: "portolan"), DemoApplication(clientID: "pythonapi"),
    DemoApplication(clientID: "arcgisonline"),
    DemoApplication(clientID: "demo-server", secret: "demo-secret"),
  ]

  /// The address that shows the code on a page instead of sending it on.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  /// Whether the application may be sent to `address`: a page of the portal itself, this machine,
  /// an address of an app, or the page that shows the code.
  static func isRegistered(_ address: String) -> Bool {
    if address == outOfBand { return true }
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased() else {
      return false
    }
    guard ["http", "https"].contains(scheme) else {
      return !["javascript", "data", "file", "urn"].contains(scheme)
    }
    return url.isOnThisMachine
  }
}
