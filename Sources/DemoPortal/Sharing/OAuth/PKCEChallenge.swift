internal import Foundation
internal import PortolanCrypto

/// The proof that a code is redeemed by the application that requested it (RFC 7636).
struct PKCEChallenge: Hashable, Sendable {
  private let challenge: String
  private let isHashed: Bool

  /// A challenge as `authorize` receives it; `nil` for a method that is not known.
  init?(_ challenge: String, method: String?) {
    switch method?.lowercased() {
    case "s256": isHashed = true
    case "plain", nil: isHashed = false
    default: return nil
    }
    self.challenge = challenge
  }

  /// Whether `verifier` is what the challenge was made from.
  func isMet(by verifier: String?) throws -> Bool {
    guard let verifier else { return false }
    guard isHashed else { return verifier == challenge }
    return Base64URL.encode(try SHA256.hash(Data(verifier.utf8))) == challenge
  }
}
