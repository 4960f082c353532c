public import Foundation
internal import PortolanJSON

/// Accounts as the one JSON document that stores keep.
///
/// Version 1: `{"version":1,"accounts":[{"portal","user","fullName","organization","signedIn",
/// "clockLead","server","credential":{"kind",...}}]}`, times in milliseconds since 1970.
public struct AccountDocument: Sendable {
  /// The accounts.
  public var accounts: [PortalAccount]

  /// Creates a document.
  public init(_ accounts: [PortalAccount] = []) { self.accounts = accounts }

  /// Reads a document, if it is one, without the accounts that cannot be understood.
  public init?(parsing data: Data) {
    // Data that is not JSON is no document, whatever the reason.
    guard let json = try? JSONValue(parsing: data), let list = json["accounts"]?.array else {
      return nil
    }
    accounts = list.compactMap(PortalAccount.init(json:))
  }

  /// The document as bytes, to be kept where only its owner can read.
  public var data: Data {
    let json: JSONValue = ["version": 1, "accounts": .array(accounts.map(\.json))]
    return json.encoded(.compact)
  }
}

extension PortalAccount {
  fileprivate init?(json: JSONValue) {
    guard let address = json["portal"]?.string.flatMap({ URL(string: $0) }),
      let portal = PortalURL(root: address)
    else { return nil }
    self.init(
      portal: portal, username: json["user"]?.string, fullName: json["fullName"]?.string,
      organization: json["organization"]?.string,
      signedIn: Date(json["signedIn"]) ?? .distantPast,
      credential: json["credential"].flatMap(Credential.init(json:)),
      clockLead: json["clockLead"]?.double ?? 0, isServer: json["server"]?.bool ?? false)
  }

  fileprivate var json: JSONValue {
    var object = JSONObject()
    object["portal"] = .string(portal.description)
    object["user"] = username.map(JSONValue.string)
    object["fullName"] = fullName.map(JSONValue.string)
    object["organization"] = organization.map(JSONValue.string)
    object["signedIn"] = signedIn.milliseconds
    object["clockLead"] = .number(clockLead)
    if isServer { object["server"] = true }
    object["credential"] = credential?.json
    return .object(object)
  }
}

extension Credential {
  fileprivate init?(json: JSONValue) {
    let token = json["token"]?.string.map(Secret.init)
    let expires = Date(json["expires"])
    switch (json["kind"]?.string, token) {
    case ("token", let token?):
      self = .token(
        TokenCredential(token: token, expires: expires, referer: json["referer"]?.string))
    case ("oauth", let token?):
      self = .oauthUser(
        OAuthUserCredential(
          clientID: json["client"]?.string ?? "", redirectURI: json["redirect"]?.string ?? "",
          accessToken: token, expires: expires,
          refreshToken: json["refreshToken"]?.string.map(Secret.init),
          refreshExpires: Date(json["refreshExpires"])))
    case ("app", let token?):
      self = .oauthApplication(
        OAuthApplicationCredential(
          clientID: json["client"]?.string ?? "",
          clientSecret: Secret(json["clientSecret"]?.string ?? ""), accessToken: token,
          expires: expires))
    case ("key", let token?): self = .pregenerated(PregeneratedTokenCredential(token: token))
    default: return nil
    }
  }

  fileprivate var json: JSONValue {
    var object = JSONObject()
    object["token"] = .string(token.value)
    object["expires"] = expires?.milliseconds
    switch self {
    case .token(let credential):
      object["kind"] = "token"
      object["referer"] = credential.referer.map(JSONValue.string)
    case .oauthUser(let credential):
      object["kind"] = "oauth"
      object["client"] = .string(credential.clientID)
      object["redirect"] = .string(credential.redirectURI)
      object["refreshToken"] = credential.refreshToken.map { .string($0.value) }
      object["refreshExpires"] = credential.refreshExpires?.milliseconds
    case .oauthApplication(let credential):
      object["kind"] = "app"
      object["client"] = .string(credential.clientID)
      object["clientSecret"] = .string(credential.clientSecret.value)
    case .pregenerated: object["kind"] = "key"
    }
    return .object(object)
  }
}

extension Date {
  fileprivate init?(_ json: JSONValue?) {
    guard let milliseconds = json?.double, milliseconds.isFinite else { return nil }
    self.init(timeIntervalSince1970: milliseconds / 1000)
  }

  /// `nil` for a time that no calendar has.
  fileprivate var milliseconds: JSONValue? {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()).map(JSONValue.integer)
  }
}
