public import Foundation

extension ZIPArchive {
  /// The content of an entry, checked against its checksum.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``.
  ///   - limit: How many bytes it may have.
  /// - Returns: All of the content.
  /// - Throws: ``ArchiveError/tooLarge(file:entry:limit:)`` before anything is read, and any other
  ///   ``ArchiveError`` if the entry is refused or damaged.
  public func data(of entry: ZIPEntry, limit: Int) throws(ArchiveError) -> Data {
    guard entry.size <= limit else {
      throw .tooLarge(file: source.name, entry: entry.name, limit: limit)
    }
    if let range = try storedRange(of: entry) {
      let data = try source.read(range)
      var checksum = CRC32()
      unsafe data.withUnsafeBytes { unsafe checksum.add($0) }
      guard checksum.value == entry.checksum else { throw damaged(entry, "its checksum is wrong") }
      return data
    }
    var data = Data()
    // The size is plausible, but still only announced.
    data.reserveCapacity(min(entry.size, 1 << 24))
    try unsafe read(entry) { bytes throws(ArchiveError) in unsafe data.append(contentsOf: bytes) }
    return data
  }

  /// The range of an entry's content in ``source``, for reading it in place; `nil` if it is
  /// compressed.
  ///
  /// The checksum is not looked at.
  ///
  /// - Throws: ``ArchiveError`` if the entry is refused or damaged.
  public func storedRange(of entry: ZIPEntry) throws(ArchiveError) -> Range<Int>? {
    let range = try contentRange(of: entry)
    return entry.method == .stored ? range : nil
  }

  /// Hands the content of an entry to `body` in pieces of at most 256 KB, and checks its size and
  /// checksum at the end.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``.
  ///   - body: Called with each piece, which is gone when it returns.
  /// - Throws: ``ArchiveError`` if the entry is refused or damaged, ``ArchiveError/cancelled`` if
  ///   the task was cancelled, and what `body` throws.
  public func read(
    _ entry: ZIPEntry, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let range = try contentRange(of: entry)
    var checksum = CRC32()
    var count = 0
    let consume = { (bytes: UnsafeRawBufferPointer) throws(ArchiveError) in
      guard !Task.isCancelled else { throw ArchiveError.cancelled }
      count += bytes.count
      guard count <= entry.size else { throw self.damaged(entry, "it is longer than announced") }
      unsafe checksum.add(bytes)
      try unsafe body(bytes)
    }
    switch entry.method {
    case .stored: try unsafe readPieces(of: range, consume)
    default: try unsafe decompress(entry, range, consume)
    }
    guard count == entry.size else { throw damaged(entry, "it is shorter than announced") }
    guard checksum.value == entry.checksum else { throw damaged(entry, "its checksum is wrong") }
  }

  /// Whether every reader finds these entries in the archive, because the format leaves no choice.
  ///
  /// Then ``checkAgreement()`` finds nothing; it was not asked when the archive was opened.
  public var isPlain: Bool { directory.isPlain }

  /// Checks that libzip reads the same directory, as happens anyway before a compressed entry is read.
  ///
  /// - Throws: ``ArchiveError/ambiguous(file:entry:reason:)``, ``ArchiveError/damaged(file:entry:reason:)``
  ///   if libzip cannot read it at all.
  public func checkAgreement() throws(ArchiveError) {
    guard !entries.isEmpty else { return }
    try readers.withReader(of: source, directory) { _ throws(ArchiveError) in }
  }

  /// Reads an entry to its end, to see whether it has its checksum.
  ///
  /// - Throws: ``ArchiveError`` if the entry is refused or damaged, ``ArchiveError/cancelled`` if
  ///   the task was cancelled.
  public func verify(_ entry: ZIPEntry) throws(ArchiveError) {
    try unsafe read(entry) { _ throws(ArchiveError) in }
  }

  func damaged(_ entry: ZIPEntry, _ reason: String) -> ArchiveError {
    .damaged(file: source.name, entry: entry.name, reason: reason)
  }

  private static var pieceSize: Int { 256 << 10 }

  private func readPieces(
    of range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(position + Self.pieceSize, range.upperBound)
      try unsafe source.withBytes(in: position..<end, body)
      position = end
    }
  }

  private func decompress(
    _ entry: ZIPEntry, _ range: Range<Int>,
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let output = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(Self.pieceSize, max(entry.size, 1)), alignment: 16)
    defer { unsafe output.deallocate() }
    let place = entry.headerOffset - directory.shift..<range.upperBound - directory.shift
    try readers.withReader(of: source, directory) { reader throws(ArchiveError) in
      try unsafe reader.read(entry, at: place, through: output, body)
    }
  }
}
