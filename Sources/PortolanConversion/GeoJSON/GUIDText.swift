internal import Foundation

/// GUIDs as text.
enum GUIDText {
  /// Whether a text is a GUID with braces.
  static func isBraced(_ text: String) -> Bool {
    text.hasPrefix("{") && text.hasSuffix("}")
      && UUID(uuidString: String(text.dropFirst().dropLast())) != nil
  }
}
