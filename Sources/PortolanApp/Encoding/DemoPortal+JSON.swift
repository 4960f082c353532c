internal import Foundation
public import PortolanJSON

extension DemoPortalInformation {
  /// The addresses and accounts of the portal, as JSON output holds them.
  public var json: JSONValue {
    [
      "url": .string(url.absoluteString), "faults": .string(faultsURL.absoluteString),
      "accounts": .array(accounts.map(\.json)), "certificate": JSONValue(orNull: certificate),
    ]
  }
}

extension DemoPortalInformation.Account {
  fileprivate var json: JSONValue {
    [
      "username": .string(username), "password": .string(password), "purpose": .string(purpose),
    ]
  }
}
