extension [UInt8] {
  /// Puts bytes in the place of others, as far as there are some.
  mutating func overwrite(at place: Int, with new: [UInt8]) {
    for (offset, byte) in new.enumerated() where place + offset < count {
      self[place + offset] = byte
    }
  }
}
