/// The authorities that may vouch for servers beside, or instead of, those that the system trusts.
public struct CertificateAuthorities: Hashable, Sendable {
  /// A file of certificates in PEM, from `CURL_CA_BUNDLE`, else `SSL_CERT_FILE`.
  ///
  /// The folder that the system trusts stays trusted.
  public var file: String?

  /// A folder of hashed certificates, from `SSL_CERT_DIR`.
  ///
  /// The file that the system trusts stays trusted.
  public var folder: String?

  /// Reads the environment; empty variables count as unset.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    file = value("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    folder = value("SSL_CERT_DIR")
  }
}
