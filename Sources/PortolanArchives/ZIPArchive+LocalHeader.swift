internal import Foundation

extension ZIPArchive {
  private static var signature: UInt32 { 0x0403_4B50 }

  /// The range of an entry's compressed content, after checking that the entry may be read and that
  /// the header before the content agrees with the directory.
  func contentRange(of entry: ZIPEntry) throws(ArchiveError) -> Range<Int> {
    try checkReadable(entry)
    let size = ZIPDirectory.localHeaderSize
    let headerEnd = entry.headerOffset + size + entry.nameRange.count
    let bytes = try source.read(entry.headerOffset..<headerEnd)
    let header = LittleEndianReader(bytes)
    let name = directory.rawName(of: entry)
    guard header.uint32(at: 0) == Self.signature,
      ZIPEntry.Method(number: header.uint16(at: 8)) == entry.method,
      Int(header.uint16(at: 26)) == entry.nameRange.count, bytes.dropFirst(size) == name,
      sizesAgree(header, entry)
    else { throw damaged(entry, "its header differs from the directory") }
    let content = headerEnd + Int(header.uint16(at: 28))
    // The directory only promised room for a header without extra fields.
    guard content <= directory.start - entry.compressedSize else {
      throw damaged(entry, "it does not lie inside the file")
    }
    return content..<content + entry.compressedSize
  }

  private func checkReadable(_ entry: ZIPEntry) throws(ArchiveError) {
    guard entry.path != nil else {
      throw .unsafeName(file: source.name, entry: entry.name)
    }
    let feature: String? =
      switch (entry.kind, entry.method) {
      case (.symbolicLink, _): "symbolic links"
      case (.special, _): "devices"
      case (_, .other(let number)): Self.name(ofMethod: Int(number))
      default: entry.isEncrypted ? "encryption" : nil
      }
    if let feature {
      throw .unsupported(file: source.name, entry: entry.name, feature: feature)
    }
  }

  /// The name of a compression method, with its number in the ZIP specification (APPNOTE, 4.4.5).
  private static func name(ofMethod number: Int) -> String {
    let names = [9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ", 98: "PPMd"]
    let name = names[number].map { "\($0) compression" } ?? "a compression"
    return "\(name) (method \(number))"
  }

  /// Whether the sizes in the header are those of the directory, or left open there: for a record
  /// behind the content (bit 3), or because they have 64 bits.
  private func sizesAgree(_ header: LittleEndianReader, _ entry: ZIPEntry) -> Bool {
    if header.uint16(at: 6) & 8 != 0 { return true }
    let pairs = [
      (header.uint32(at: 18), entry.compressedSize), (header.uint32(at: 22), entry.size),
    ]
    return pairs.allSatisfy { $0 == UInt32.max || Int($0) == $1 }
  }
}
