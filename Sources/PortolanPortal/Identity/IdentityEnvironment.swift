public import Foundation
public import PortolanCrypto
internal import PortolanTransport

/// The dependencies of signing in.
public struct IdentityEnvironment: Sendable {
  /// The time, by this machine's clock.
  public var now: @Sendable () -> Date
  /// The source of states and verifiers.
  public var random: RandomSource
  /// Hosts, in lower case, that get secrets even without encryption.
  public var plainHTTPHosts: Set<String>
  /// Measures how long requests wait for stored credentials.
  public var clock: any Clock<Duration>

  /// Creates an environment.
  public init(
    now: @escaping @Sendable () -> Date, random: RandomSource = .system,
    plainHTTPHosts: Set<String> = [], clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.now = now
    self.random = random
    self.plainHTTPHosts = plainHTTPHosts
    self.clock = clock
  }

  /// Refuses portals that would get secrets without encryption, other than on this machine.
  func requirePrivacy(of portal: PortalURL) throws(PortalError) {
    let isAllowed = portal.host.isLoopbackHost || plainHTTPHosts.contains(portal.host)
    guard !portal.usesPlainHTTP || isAllowed else {
      throw .signIn(.plainHTTP(host: portal.shownHost))
    }
  }
}
