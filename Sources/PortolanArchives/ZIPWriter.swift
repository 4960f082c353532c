internal import CZlib
public import Foundation
internal import PortolanFiles

/// Writes a ZIP archive: the same entries in the same order give the same bytes.
///
/// Nothing of the machine goes into the archive: no owners, no times but the one given, no extra
/// fields except where a number needs 64 bits. The file appears under its name when ``finish()``
/// returns, and not before.
public struct ZIPWriter: ~Copyable {
  /// How content is packed.
  public enum Method: Hashable, Sendable {
    /// As it is, so that it can be read in place.
    case stored
    /// With zlib's method, at a level from 1, fast, to 9, small. Another version of zlib may give
    /// other bytes.
    case deflated(level: Int)

    var number: UInt16 { self == .stored ? 0 : 8 }
  }

  private let path: String
  private let date: ZIPDate
  private let wideLimit: Int
  private var file: StagedFile
  private var records: [ZIPLocalRecord] = []
  private var names: Set<String> = []

  /// Begins an archive that will take the place of `url`.
  ///
  /// - Parameters:
  ///   - url: The file to make or to replace; its folder must exist.
  ///   - modified: The time that all entries get, in UTC to two seconds, between 1980 and 2107;
  ///     by default the first moment that the format knows.
  /// - Throws: ``ArchiveError/unwritable(file:reason:)``.
  public init(
    replacing url: URL, modified: Date = Date(timeIntervalSince1970: 315_532_800)
  ) throws(ArchiveError) {
    try self.init(replacing: url, modified: modified, wideLimit: 0xFFFF_FFFF)
  }

  // Numbers take 64 bits from `wideLimit` on; tests lower it.
  init(replacing url: URL, modified: Date, wideLimit: Int) throws(ArchiveError) {
    path = url.path(percentEncoded: false)
    date = ZIPDate(modified)
    self.wideLimit = wideLimit
    do { file = try StagedFile(replacing: url) } catch { throw ArchiveError(error) }
  }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - name: The path in the archive, with `/` between folders.
  ///   - data: The content.
  ///   - method: How it is packed.
  /// - Throws: ``ArchiveError/unsafeName(file:entry:)`` for a name that could not be unpacked, or
  ///   ``ArchiveError/unwritable(file:reason:)``, also for a name that was used before.
  public mutating func add(
    _ name: String, _ data: Data, method: Method = .stored
  ) throws(ArchiveError) {
    try add(name, contentsOf: MemoryByteSource(data, name: name), method: method)
  }

  /// Adds an entry whose content is read piece by piece; see ``add(_:_:method:)``.
  ///
  /// - Throws: also ``ArchiveError/cancelled`` if the task was cancelled.
  public mutating func add(
    _ name: String, contentsOf source: any ByteSource, method: Method = .stored
  ) throws(ArchiveError) {
    try claim(name)
    var record = ZIPLocalRecord(
      name: name, method: method, date: date, offset: file.count,
      // Deflate adds at most a little to what cannot be compressed.
      isWide: source.count + source.count / 1_000 + 64 >= wideLimit)
    try write(record.header)
    let start = file.count
    switch method {
    case .stored: try copy(source, &record)
    case .deflated(let level): try deflate(source, level, &record)
    }
    record.size = source.count
    record.compressedSize = file.count - start
    do { try file.overwrite(record.header, at: record.offset) } catch { throw ArchiveError(error) }
    records.append(record)
  }

  /// Writes the directory and puts the archive in its place, durably.
  public consuming func finish() throws(ArchiveError) {
    let start = file.count
    for record in records { try write(record.directoryRecord(wideLimit: wideLimit)) }
    try write(
      ZIPLocalRecord.endRecord(
        entryCount: records.count, directory: start..<file.count, wideLimit: wideLimit))
    do { try file.commit() } catch { throw ArchiveError(error) }
  }

  private mutating func write(_ data: Data) throws(ArchiveError) {
    do { try file.write(data) } catch { throw ArchiveError(error) }
  }

  private mutating func claim(_ name: String) throws(ArchiveError) {
    guard SafePath(name)?.text == name, name.utf8.count <= 0xFFFF else {
      throw .unsafeName(file: path, entry: name)
    }
    guard names.insert(name).inserted else {
      throw .unwritable(file: path, reason: "it has an entry «\(name)» already")
    }
  }

  private static var pieceSize: Int { 256 << 10 }

  private mutating func copy(
    _ source: any ByteSource, _ record: inout ZIPLocalRecord
  ) throws(ArchiveError) {
    try file.append(source) { piece in
      unsafe piece.withUnsafeBytes { unsafe record.checksum.add($0) }
    }
  }

  private mutating func deflate(
    _ source: any ByteSource, _ level: Int, _ record: inout ZIPLocalRecord
  ) throws(ArchiveError) {
    guard let deflater = Deflater(windowBits: -MAX_WBITS, level: level) else {
      throw .unwritable(file: path, reason: "no memory")
    }
    for start in stride(from: 0, to: source.count, by: Self.pieceSize) {
      guard !Task.isCancelled else { throw .cancelled }
      let piece = try source.read(start..<min(start + Self.pieceSize, source.count))
      unsafe piece.withUnsafeBytes { unsafe record.checksum.add($0) }
      try write(deflater.compress(piece, isLast: false))
    }
    try write(deflater.compress(Data(), isLast: true))
  }
}
