internal import Foundation

extension URL {
  /// The file in this folder for a JSON document about something whose own name is too long, or has
  /// slashes: named by its hash (FNV-1a, 64 bits), the same in each process.
  ///
  /// Two texts may share a file: the document has to say what it is about.
  func appending(documentNamedAfter text: String) -> URL {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return appending(path: "\(String(hash, radix: 16)).json")
  }
}
