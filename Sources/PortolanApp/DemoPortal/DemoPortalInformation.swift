public import Foundation

/// Information about a demo portal.
public struct DemoPortalInformation: Hashable, Sendable, Codable {
  /// An account to sign in with; such passwords protect nothing.
  public struct Account: Hashable, Sendable, Codable {
    /// The name to sign in with.
    public var username: String
    /// The password.
    public var password: String
    /// The purpose of the account.
    public var purpose: String

    /// Creates an account.
    public init(username: String, password: String, purpose: String) {
      self.username = username
      self.password = password
      self.purpose = purpose
    }
  }

  /// The address of the portal.
  public var url: URL

  /// The accounts that can sign in.
  public var accounts: [Account]

  /// The address at which faults are requested.
  public var faultsURL: URL

  /// The certificate as PEM, for programs that should trust it; `nil` without HTTPS.
  public var certificate: String?

  /// Creates information.
  public init(url: URL, accounts: [Account], faultsURL: URL, certificate: String? = nil) {
    self.url = url
    self.accounts = accounts
    self.faultsURL = faultsURL
    self.certificate = certificate
  }
}
