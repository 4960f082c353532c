/// How names of entries are read, and which of them are safe.
enum ZIPEntryName {
  /// The text of a raw name.
  ///
  /// The format knows two encodings, distinguished by a flag that many writers forget: so bytes
  /// that are valid UTF-8 are taken for it, and CP437 is what remains.
  static func decode(_ bytes: UnsafeRawBufferPointer, isMarkedUTF8: Bool) -> String {
    if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
    if isMarkedUTF8 { return unsafe String(decoding: bytes, as: UTF8.self) }
    return unsafe CodePage437.decode(bytes)
  }
}
