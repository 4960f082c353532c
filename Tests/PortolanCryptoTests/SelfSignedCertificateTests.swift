import Foundation
import PortolanCrypto
import PortolanTestSupport
import Testing

@Suite struct SelfSignedCertificateTests {
  private static let date = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `A certificate and its key are PEM`() throws {
    let made = try SelfSignedCertificate(for: ["localhost", "127.0.0.1", "::1"], from: Self.date)
    #expect(made.certificate.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(made.certificate.hasSuffix("-----END CERTIFICATE-----\n"))
    #expect(made.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
  }

  @Test func `Every certificate has a key of its own`() throws {
    let one = try SelfSignedCertificate(for: ["localhost"], from: Self.date)
    let two = try SelfSignedCertificate(for: ["localhost"], from: Self.date)
    #expect(one.privateKey != two.privateKey)
  }

  @Test(
    arguments: [
      [], [""], ["a,IP:1.2.3.4"], ["host name"], ["a\nb"], ["1.2.3"],
      [String(repeating: "a", count: 300)],
    ])
  func `An invalid host name gets no certificate`(_ hosts: [String]) {
    #expect(throws: CryptoError.self) {
      try SelfSignedCertificate(for: hosts, from: Self.date)
    }
  }
}

/// Our certificates, as OpenSSL's own command reads them.
@Suite(
  .temporaryDirectory, .enabled(if: Tool.path(of: "openssl") != nil, "openssl is not installed"))
struct CertificateVerificationTests {
  @Test func `A certificate names its hosts and signs itself`() throws {
    let file = temporaryDirectory.appending(path: "certificate.pem")
    let made = try SelfSignedCertificate(for: ["localhost", "127.0.0.1"], from: Date())
    try Data(made.certificate.utf8).write(to: file)
    let path = file.path(percentEncoded: false)
    for check in [["-verify_hostname", "localhost"], ["-verify_ip", "127.0.0.1"]] {
      let result = try Tool.run("openssl", ["verify", "-CAfile", path] + check + [path])
      #expect(result.status == 0, "\(result.errors)")
    }
    let other = try Tool.run(
      "openssl", ["verify", "-CAfile", path, "-verify_hostname", "example.com", path])
    #expect(other.status != 0)
  }
}
