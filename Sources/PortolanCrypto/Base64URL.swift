public import Foundation

/// Base 64 with the alphabet that needs no escape in addresses, without padding (RFC 4648, 5).
public enum Base64URL {
  /// `data` as text.
  public static func encode(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// The bytes that `text` stands for; `nil` if it is no such text.
  public static func decode(_ text: String) -> Data? {
    guard !text.contains(where: { "+/=".contains($0) }), text.utf8.count % 4 != 1 else {
      return nil
    }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
    return Data(base64Encoded: base64)
  }
}
