extension TileFormat {
  /// The format that bytes have, by the first few; `nil` if it is none that is known.
  ///
  /// Packages declare one format and hold several (`MIXED`), so that only the bytes can tell.
  ///
  /// Inlined and specialized at the caller, since each tile that is read passes here.
  @inlinable
  public init?(detecting bytes: some Collection<UInt8>) {
    var first = bytes.makeIterator()
    var head: UInt32 = 0
    for place in 0..<4 { head |= UInt32(first.next() ?? 0) << (8 * place) }
    switch head {
    case 0x474E_5089: self = .png
    case 0x4646_4952 where bytes.dropFirst(8).starts(with: "WEBP".utf8): self = .webp
    case 0x6372_654C: self = .lerc
    case 0x5A74_6E43 where bytes.starts(with: "CntZImage".utf8): self = .lerc
    case _ where head & 0xFFFF == 0xD8FF: self = .jpeg
    case _ where head & 0xFFFF == 0x8B1F: self = .gzippedVectorTile
    case _ where head & 0xFF == 0x1A: self = .vectorTile
    default: return nil
    }
  }
}
