internal import CZip
internal import Foundation

/// An archive as libzip reads it.
@safe
final class LibZIPReader: Sendable {
  private let input: LibZIPInput
  /// Used by one caller at a time; ``LibZIPPool`` sees to that.
  private nonisolated(unsafe) let archive: OpaquePointer
  private let file: String

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - source: The archive, without what precedes it.
  ///   - file: What messages call it.
  /// - Throws: ``ArchiveError/damaged(file:entry:reason:)`` if libzip refuses it.
  init(_ source: any ByteSource, file: String) throws(ArchiveError) {
    let input = LibZIPInput(.source(source))
    let opened = unsafe LibZIPSource.open(try input.source(), ZIP_RDONLY)
    guard let archive = unsafe opened.archive else {
      let reason = unsafe opened.reason
      throw input.failure
        ?? .damaged(file: file, entry: nil, reason: "libzip cannot read its directory: \(reason)")
    }
    unsafe self.archive = archive
    self.input = input
    self.file = file
  }

  deinit { unsafe zip_discard(archive) }

  /// Refuses an archive whose directory libzip reads differently.
  ///
  /// Two programs that see different files in one archive are how a check by one of them is evaded.
  func check(_ directory: ZIPDirectory) throws(ArchiveError) {
    let count = unsafe Int(zip_get_num_entries(archive, 0))
    guard count == directory.entries.count else {
      throw .ambiguous(
        file: file, entry: nil, reason: "\(directory.entries.count) or \(count) entries")
    }
    for entry in directory.entries {
      if let reason = disagreement(on: entry, directory) {
        throw .ambiguous(file: file, entry: entry.name, reason: reason)
      }
    }
  }

  /// What libzip reads differently, if anything.
  private func disagreement(on entry: ZIPEntry, _ directory: ZIPDirectory) -> String? {
    var status = unsafe zip_stat_t()
    guard unsafe zip_stat_index(archive, UInt64(entry.number), ZIP_FL_ENC_RAW, &status) == 0,
      let name = unsafe status.name
    else { return "no content" }
    guard unsafe Self.isName(name, of: entry, directory) else { return "two names" }
    guard unsafe status.size == entry.size, unsafe status.comp_size == entry.compressedSize else {
      return "two sizes"
    }
    let method = unsafe ZIPEntry.Method(number: status.comp_method)
    // Neither reads what is encrypted or compressed in another way.
    if entry.isEncrypted { return nil }
    if case .other = entry.method { return nil }
    guard method == entry.method, unsafe status.encryption_method == 0 else {
      return "two methods"
    }
    return unsafe status.crc == entry.checksum ? nil : "two checksums"
  }

  private static func isName(
    _ name: UnsafePointer<CChar>, of entry: ZIPEntry, _ directory: ZIPDirectory
  ) -> Bool {
    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
    // libzip makes a zero byte a space; an entry with one has no path, and is not read.
    let raw = directory.rawName(of: entry).lazy.map { $0 == 0 ? UInt8(ascii: " ") : $0 }
    if unsafe bytes.elementsEqual(raw) { return true }
    // The name may be in an extra field too.
    let text = unsafe ZIPEntryName.decode(bytes, isMarkedUTF8: true)
    return text.utf8.elementsEqual(entry.name.utf8)
  }

  /// Decompresses an entry, and checks its size and checksum.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - place: Where its header and its compressed bytes lie, counted as libzip does.
  ///   - buffer: Where the pieces are put.
  ///   - body: Called with each piece.
  /// - Throws: ``ArchiveError`` if the entry is damaged or lies elsewhere, and what `body` throws.
  func read(
    _ entry: ZIPEntry, at place: Range<Int>, through buffer: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let start = buffer.baseAddress else { return }
    input.mark()
    guard let stream = unsafe zip_fopen_index(archive, UInt64(entry.number), 0) else {
      throw unsafe failure(zip_get_error(archive), entry)
    }
    defer { unsafe _ = zip_fclose(stream) }
    while true {
      let count = unsafe Int(zip_fread(stream, start, UInt64(buffer.count)))
      guard count >= 0 else { throw unsafe failure(zip_file_get_error(stream), entry) }
      try checkPlace(place, entry)
      guard count > 0 else { return }
      try unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// libzip does not say where it takes an entry to be, but it can be seen where it reads.
  private func checkPlace(_ place: Range<Int>, _ entry: ZIPEntry) throws(ArchiveError) {
    // Its first look is into the header of the entry, which no other entry shares.
    let header = place.lowerBound..<place.lowerBound + ZIPDirectory.localHeaderSize
    guard let reads = input.reads, header.contains(reads.lowerBound),
      reads.upperBound <= place.upperBound
    else { throw .ambiguous(file: file, entry: entry.name, reason: "two places") }
  }

  private func failure(
    _ error: UnsafeMutablePointer<zip_error_t>, _ entry: ZIPEntry
  ) -> ArchiveError {
    if let failure = input.failure { return failure }
    let reason =
      switch unsafe zip_error_code_zip(error) {
      case ZIP_ER_CRC: "its checksum is wrong"
      case ZIP_ER_ZLIB, ZIP_ER_COMPRESSED_DATA: "its compressed bytes are wrong"
      case ZIP_ER_EOF: "its compressed bytes end too early"
      case ZIP_ER_MEMORY: "there is not enough memory to read it"
      default: unsafe String(cString: zip_error_strerror(error))
      }
    return .damaged(file: file, entry: entry.name, reason: reason)
  }
}
