/// How the live transport reaches servers, the same for all requests.
public struct CurlConfiguration: Hashable, Sendable {
  /// The `User-Agent` header, for example `Portolan/1.0`.
  public var userAgent: String

  /// Through which proxies requests go.
  public var proxies: ProxySettings

  /// The authorities that may vouch for servers.
  public var authorities: CertificateAuthorities

  /// Hosts whose certificates are not looked at, because a person has said so for each.
  public var unverifiedHosts: Set<String>

  /// The most bytes that the headers of a response may have, 256 kB by default.
  public var headerLimit: Int

  /// Creates a configuration; proxies and authorities are those that the environment names.
  ///
  /// - Parameters:
  ///   - userAgent: What the `User-Agent` header says.
  ///   - environment: The process's environment; see ``ProxySettings`` and
  ///     ``CertificateAuthorities``.
  ///   - unverifiedHosts: Hosts whose certificates are not looked at.
  public init(
    userAgent: String, environment: [String: String] = [:], unverifiedHosts: Set<String> = []
  ) {
    self.userAgent = userAgent
    proxies = ProxySettings(environment: environment)
    authorities = CertificateAuthorities(environment: environment)
    self.unverifiedHosts = Set(unverifiedHosts.map { $0.lowercased() })
    headerLimit = 256 << 10
  }
}
