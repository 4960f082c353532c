public import Foundation

/// A certificate that vouches for itself, and its private key: for a server on this machine.
public struct SelfSignedCertificate: Sendable {
  /// The certificate, as PEM.
  public let certificate: String

  /// The private key, P-256 in PKCS #8, as PEM without a passphrase.
  public let privateKey: String

  /// Makes a new key and a certificate for it.
  ///
  /// - Parameters:
  ///   - hosts: The names and addresses that the server is reached under, for example
  ///     `localhost` and `127.0.0.1`. The first is the certificate's subject.
  ///   - date: From when it is valid; a day is taken off, for clocks that are slow.
  ///   - days: For how many days.
  /// - Throws: ``CryptoError``.
  public init(for hosts: [String], from date: Date, days: Int = 90) throws(CryptoError) {
    let names = try SelfSignedCertificate.alternativeNames(of: hosts)
    let draft = try CertificateDraft()
    try draft.setIdentity(serial: Int64.random(in: 1 ... .max))
    try draft.setValidity(from: date.addingTimeInterval(-86_400), days: days + 1)
    try draft.setSubject(hosts.first ?? "localhost")
    try draft.addExtensions(alternativeNames: names)
    (certificate, privateKey) = try draft.sign()
  }

  /// The hosts in OpenSSL's notation; what could be read as more than a host is refused.
  private static func alternativeNames(of hosts: [String]) throws(CryptoError) -> String {
    var names: [String] = []
    for host in hosts {
      guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isHostCharacter) else {
        throw .badHost(host)
      }
      let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
      names.append((isAddress ? "IP:" : "DNS:") + host)
    }
    guard !names.isEmpty else { throw .badHost("") }
    return names.joined(separator: ",")
  }

  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
