import Foundation
import PortolanCrypto
import Testing

@Suite struct SHA256Tests {
  /// From FIPS 180-4's examples; the last is a million times the letter a.
  private static let vectors: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: vectors)
  func `Known texts have known digests`(_ vector: (text: String, digest: String)) throws {
    let digest = try SHA256.hash(Data(vector.text.utf8))
    #expect(digest.map { String(format: "%02x", $0) }.joined() == vector.digest)
  }

  @Test func `A digest does not depend on how its bytes are cut`() throws {
    let data = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    var digest = try SHA256()
    var rest = data[...]
    for size in [1, 63, 64, 65, 0, 1_000, 9_000] {
      try digest.update(Data(rest.prefix(size)).span.bytes)
      rest = rest.dropFirst(size)
    }
    #expect(try digest.finalize() == SHA256.hash(data))
  }

  /// RFC 7636, appendix B.
  @Test func `The example of PKCE comes out as the standard says`() throws {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let challenge = try Base64URL.encode(SHA256.hash(Data(verifier.utf8)))
    #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }
}
