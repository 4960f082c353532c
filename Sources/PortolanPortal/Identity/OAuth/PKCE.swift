internal import Foundation
internal import PortolanCrypto

/// Ties the code of a sign-in to the one who began it (RFC 7636, method S256).
struct PKCE: Hashable, Sendable {
  /// What only the one who began knows.
  let verifier: Secret

  /// What is sent to the portal first.
  let challenge: String

  /// Makes a verifier of 43 characters from 32 random bytes.
  init(random: RandomSource) throws(CryptoError) {
    let verifier = Base64URL.encode(random.bytes(32))
    challenge = Base64URL.encode(try SHA256.hash(Data(verifier.utf8)))
    self.verifier = Secret(verifier)
  }
}
