internal import Foundation

extension URL {
  /// The file in this folder for a JSON document about something whose own name is too long, or has
  /// slashes: named by its hash (FNV-1a, 64 bits), the same in each process.
  ///
  /// Two texts may share a file: the document has to say what it is about.
  func appending(documentNamedAfter text: String) -> URL {
    appending(path: "\(String(Self.documentHash(of: text), radix: 16)).json")
  }

  /// The hash that the document about something is named by.
  static func documentHash(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
