public import Foundation

/// Starts demo portals: portals on this machine, for trying out and for tests.
public protocol DemoPortalStarting: Sendable {
  /// Starts one.
  func start(_ parameters: DemoPortalParameters) async throws -> any RunningDemoPortal
}

/// A demo portal that is being served.
public protocol RunningDemoPortal: Sendable {
  /// What there is to know about it.
  var information: DemoPortalInformation { get }

  /// Makes the files of its items, so that nobody waits for them later.
  func prepare() async throws

  /// Ends it and removes its files.
  func stop() async
}

/// How a demo portal is to be served.
public struct DemoPortalParameters: Hashable, Sendable {
  /// The port, or 0 for one that is free.
  public var port: UInt16

  /// Whether it speaks HTTPS, with a certificate of its own making.
  public var isSecure: Bool

  /// What its ids depend on.
  public var seed: UInt64

  /// Creates parameters.
  public init(port: UInt16 = 0, isSecure: Bool = false, seed: UInt64 = 1) {
    self.port = port
    self.isSecure = isSecure
    self.seed = seed
  }
}

/// What there is to know about a demo portal.
public struct DemoPortalInformation: Hashable, Sendable, Codable {
  /// Somebody who can sign in; such passwords protect nothing.
  public struct Account: Hashable, Sendable, Codable {
    /// The name to sign in with.
    public var username: String
    /// The password.
    public var password: String
    /// What the account is for.
    public var purpose: String

    /// Creates an account.
    public init(username: String, password: String, purpose: String) {
      self.username = username
      self.password = password
      self.purpose = purpose
    }
  }

  /// Where the portal is.
  public var url: URL

  /// Who can sign in.
  public var accounts: [Account]

  /// Where faults are requested.
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
