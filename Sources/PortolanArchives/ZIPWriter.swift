internal import CZip
public import Foundation
internal import PortolanFiles

/// Writes a ZIP archive with libzip: the same entries in the same order give the same bytes.
///
/// Nothing of the machine goes into the archive: no owners, no times but the one given. Contents are
/// read when ``finish()`` writes the archive, whose file appears under its name when that returns, and
/// not before.
@safe
public struct ZIPWriter: ~Copyable {
  /// How content is compressed.
  public enum Method: Hashable, Sendable {
    /// Not at all, so that it can be read in place.
    case stored
    /// Compressed with zlib's method, at a level from 1, fast, to 9, small. Another version of zlib
    /// may give other bytes.
    case deflated(level: Int)
  }

  private let path: String
  private let date: ZIPDate
  private let output: LibZIPOutput
  private let archive: OpaquePointer
  private var inputs: [LibZIPInput] = []
  /// The bytes of the names, by which names are told apart that are equal as texts.
  private var names: Set<[UInt8]> = []
  private var isClosed = false

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
    let output = try LibZIPOutput(replacing: url)
    unsafe self.archive = try Self.open(output)
    self.output = output
    path = url.path(percentEncoded: false)
    date = ZIPDate(modified)
  }

  deinit {
    if !isClosed { unsafe zip_discard(archive) }
  }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - name: The path in the archive, with `/` between folders.
  ///   - data: The content.
  ///   - method: How it is compressed.
  /// - Throws: ``ArchiveError/unsafeName(file:entry:)`` for a name that could not be unpacked, or
  ///   ``ArchiveError/unwritable(file:reason:)``, also for a name that was used before.
  public mutating func add(
    _ name: String, _ data: Data, method: Method = .stored
  ) throws(ArchiveError) {
    try add(name, contentsOf: MemoryByteSource(data, name: name), method: method)
  }

  /// Adds an entry whose content is read piece by piece; see ``add(_:_:method:)``.
  public mutating func add(
    _ name: String, contentsOf source: any ByteSource, method: Method = .stored
  ) throws(ArchiveError) {
    try add(name, LibZIPInput(.source(source)), method)
  }

  /// Adds a file, which is opened only while it is copied; see ``add(_:_:method:)``.
  ///
  /// - Throws: also ``ArchiveError/unreadable(file:reason:)`` if it is not there.
  public mutating func add(
    _ name: String, file url: URL, method: Method = .stored
  ) throws(ArchiveError) {
    let count: Int
    do { count = try RegularFile(at: url).byteCount } catch { throw ArchiveError(error) }
    try add(name, LibZIPInput(.file(url, count: count)), method)
  }

  /// Writes the archive and puts it in its place, durably.
  ///
  /// - Parameter replaces: Whether it takes the place of what is there by now.
  /// - Throws: ``ArchiveError/unwritable(file:reason:)``, ``ArchiveError/alreadyExists(file:)`` if
  ///   something is there that is to stay, ``ArchiveError/cancelled`` if the task was cancelled, and
  ///   whatever reading the contents gives; what was in its place is there still.
  public consuming func finish(replacing replaces: Bool = true) throws(ArchiveError) {
    if names.isEmpty {
      do { try output.write(Self.emptyArchive) } catch { throw ArchiveError(error) }
    } else {
      guard unsafe zip_close(archive) == 0 else { throw failure() }
      isClosed = true
    }
    try output.commit(replacing: replaces)
  }

  /// What libzip does not write: the record at the end, which announces no entries.
  private static let emptyArchive = Data([0x50, 0x4B, 5, 6]) + Data(count: 18)

  private static func open(_ output: LibZIPOutput) throws(ArchiveError) -> OpaquePointer {
    let opened = unsafe LibZIPSource.open(try output.source(), ZIP_CREATE | ZIP_TRUNCATE)
    if let archive = unsafe opened.archive { return unsafe archive }
    throw .unwritable(file: "The archive", reason: unsafe opened.reason)
  }

  private mutating func add(
    _ name: String, _ input: LibZIPInput, _ method: Method
  ) throws(ArchiveError) {
    guard SafePath(name)?.text == name, name.utf8.count <= 0xFFFF else {
      throw .unsafeName(file: path, entry: name)
    }
    guard names.insert(Array(name.utf8)).inserted else {
      throw .unwritable(file: path, reason: "it has an entry \"\(name)\" already")
    }
    let source = try unsafe input.source()
    let index = unsafe zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8)
    guard index >= 0 else {
      unsafe zip_source_free(source)
      throw failure()
    }
    inputs.append(input)
    try describe(UInt64(index), method)
  }

  private func describe(_ index: UInt64, _ method: Method) throws(ArchiveError) {
    let (number, level) =
      switch method {
      case .stored: (ZIP_CM_STORE, 0)
      case .deflated(let level): (ZIP_CM_DEFLATE, min(max(level, 1), 9))
      }
    guard unsafe zip_set_file_compression(archive, index, number, UInt32(level)) == 0,
      unsafe zip_file_set_dostime(archive, index, date.time, date.day, 0) == 0,
      // Made on Unix, a file that its owner may write and everyone may read.
      unsafe zip_file_set_external_attributes(
        archive, index, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
    else { throw failure() }
  }

  private func failure() -> ArchiveError {
    if let failure = inputs.lazy.compactMap(\.failure).first ?? output.failure { return failure }
    let reason = unsafe String(cString: zip_strerror(archive))
    return .unwritable(file: path, reason: reason)
  }
}
