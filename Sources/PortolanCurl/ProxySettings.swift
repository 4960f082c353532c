/// The proxies for requests, from the standard environment variables.
///
/// Addresses may hold passwords and are not printed.
public struct ProxySettings: Hashable, Sendable {
  /// The proxy for `http` addresses, from `http_proxy`, else `all_proxy`.
  ///
  /// `HTTP_PROXY` is not read: a server that runs programs for its clients sets it to what a client
  /// says (CVE-2016-5385).
  public var http: String?

  /// The proxy for `https` addresses, from `https_proxy`, else `all_proxy`, or those in capitals.
  public var https: String?

  /// The hosts that are asked directly, separated by commas, from `no_proxy`; `*` for all.
  public var exceptions: String?

  /// Reads the environment; empty variables count as unset.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    http = value("http_proxy", "all_proxy", "ALL_PROXY")
    https = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    exceptions = value("no_proxy", "NO_PROXY")
  }
}
