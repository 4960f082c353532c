internal import Foundation
internal import PortolanCrypto

/// Ties the code of a sign-in to the one who began it (RFC 7636, method S256).
struct PKCE: Hashable, Sendable {
  /// The verifier, known only to the client that began the sign-in.
  let verifier: Secret

  /// The challenge, which is sent to the portal first.
  let challenge: String

  /// Makes a verifier of 43 characters from 32 random bytes.
  init(random: RandomSource) throws(CryptoError) {
    let verifier = Base64URL.encode(random.bytes(32))
    challenge = Base64URL.encode(try SHA256.hash(Data(verifier.utf8)))
    self.verifier = Secret(verifier)
  }
}
