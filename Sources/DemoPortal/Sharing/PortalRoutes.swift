internal import Foundation
internal import PortolanJSON

/// What the portal says about itself to whoever asks.
struct PortalRoutes: Sendable {
  let state: DemoState

  /// Adds the routes under both of the roots that clients use.
  func add(to router: inout Router) {
    for root in SharingRoot.all {
      router.add(root, realm: nil) { _ in .json(["currentVersion": .string(Self.version)]) }
      router.add(root + "/info", realm: nil) { .json(Self.info($0)) }
    }
  }

  /// The version that the sharing API reports; the Python client reads it as a year and a number.
  static let version = "2024.2"

  private static func info(_ request: DemoRequest) -> JSONValue {
    [
      "owningSystemUrl": .string(request.base.absoluteString),
      "authInfo": [
        "tokenServicesUrl": .string(request.address("/sharing/rest/generateToken")),
        "isTokenBasedSecurity": true,
      ],
    ]
  }
}

/// The paths under which the sharing API answers: clients use it with `/rest` and without.
enum SharingRoot {
  static let all = ["/sharing/rest", "/sharing"]
}
