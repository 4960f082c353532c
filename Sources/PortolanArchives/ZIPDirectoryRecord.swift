internal import PortolanFiles

/// One entry as written in the directory.
struct ZIPDirectoryRecord {
  let signature: UInt32
  /// The range of the name in the directory.
  let name: Range<Int>
  let extra: Range<Int>
  /// The offset of the next record.
  let end: Int

  private let host: UInt8
  private let flags: UInt16
  private let method: UInt16
  private let checksum: UInt32
  private let compressedSize: UInt32
  private let size: UInt32
  private let attributes: UInt32
  private let offset: UInt32

  private static let headerSize = 46

  /// Reads the record at `start`; `nil` if it does not end inside `directory`.
  init?(_ directory: UnsafeRawBufferPointer, at start: Int) {
    guard start <= directory.count - Self.headerSize else { return nil }
    unsafe signature = directory.littleEndian(at: start)
    unsafe host = directory[start + 5]
    unsafe flags = directory.littleEndian(at: start + 8)
    unsafe method = directory.littleEndian(at: start + 10)
    unsafe checksum = directory.littleEndian(at: start + 16)
    unsafe compressedSize = directory.littleEndian(at: start + 20)
    unsafe size = directory.littleEndian(at: start + 24)
    let lengths: (UInt16, UInt16, UInt16) = unsafe (
      directory.littleEndian(at: start + 28), directory.littleEndian(at: start + 30),
      directory.littleEndian(at: start + 32)
    )
    unsafe attributes = directory.littleEndian(at: start + 38)
    unsafe offset = directory.littleEndian(at: start + 42)
    name = start + Self.headerSize..<start + Self.headerSize + Int(lengths.0)
    extra = name.upperBound..<name.upperBound + Int(lengths.1)
    end = extra.upperBound + Int(lengths.2)
    guard end <= directory.count else { return nil }
  }

  /// The entry that the record describes, checked against the size of the archive.
  func entry(
    from directory: UnsafeRawBufferPointer, number: Int, shift: Int, directoryStart: Int,
    file: String
  ) throws(ArchiveError) -> ZIPEntry {
    let text = unsafe text(directory)
    let sizes = unsafe wideSizes(directory)
    let (size, compressedSize, offset) = (sizes.size, sizes.compressedSize, sizes.offset)
    let available = directoryStart - shift - ZIPDirectory.localHeaderSize - name.count
    guard available >= 0, offset <= UInt64(available),
      compressedSize <= UInt64(available) - offset
    else {
      throw .damaged(file: file, entry: text, reason: "it does not lie inside the file")
    }
    let isPlausible =
      switch method {
      case 0: size == compressedSize || isEncrypted
      // No byte compressed by "deflate" stands for more than 1032 bytes.
      case 8: size / 1_032 <= compressedSize
      default: size <= UInt64(Int.max)
      }
    guard isPlausible else {
      throw .damaged(
        file: file, entry: text,
        reason: "\(compressedSize) bytes cannot hold the \(size) that are announced")
    }
    return ZIPEntry(
      name: text, path: SafePath(text)?.text, kind: kind(text),
      method: ZIPEntry.Method(number: method), isEncrypted: isEncrypted, checksum: checksum,
      compressedSize: Int(compressedSize), size: Int(size), number: number,
      headerOffset: Int(offset) + shift,
      nameRange: name)
  }

  /// Whether every reader finds the same in the record: a name and numbers that no extra field
  /// replaces, and a method that needs nothing else.
  func isPlain(in directory: UnsafeRawBufferPointer) -> Bool {
    guard !isEncrypted, method == 0 || method == 8,
      compressedSize < UInt32.max, size < UInt32.max, offset < UInt32.max,
      end == extra.upperBound, unsafe hasPlainName(directory)
    else { return false }
    var position = extra.lowerBound
    while position + 4 <= extra.upperBound {
      let tag: UInt16 = unsafe directory.littleEndian(at: position)
      guard !Self.replacingFields.contains(tag) else { return false }
      position += 4 + Int(unsafe directory.littleEndian(at: position + 2) as UInt16)
    }
    return position == extra.upperBound
  }

  /// Whether the name is in UTF-8 if it says so; some readers refuse others, and control characters.
  private func hasPlainName(_ directory: UnsafeRawBufferPointer) -> Bool {
    guard isMarkedUTF8 else { return true }
    let raw = unsafe UnsafeRawBufferPointer(rebasing: directory[name])
    return unsafe raw.allSatisfy { $0 >= 0x20 } && String(validating: raw, as: UTF8.self) != nil
  }

  /// Extra fields that replace something in the record: 64-bit numbers, names and comments in UTF-8,
  /// methods of encrypted entries.
  private static let replacingFields: Set<UInt16> = [0x0001, 0x7075, 0x6375, 0x9901]

  /// The name: that of the extra field for UTF-8 names, if it belongs to the one in its place.
  private func text(_ directory: UnsafeRawBufferPointer) -> String {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: directory[name])
    let field = unsafe extraField(0x7075, directory)
    if field.count > 5, unsafe directory[field.lowerBound] == 1 {
      var checksum = CRC32()
      unsafe checksum.add(raw)
      let utf8 = unsafe UnsafeRawBufferPointer(rebasing: directory[field.dropFirst(5)])
      if unsafe directory.littleEndian(at: field.lowerBound + 1) == checksum.value,
        let text = unsafe String(validating: utf8, as: UTF8.self)
      {
        return text
      }
    }
    return unsafe ZIPEntryName.decode(raw, isMarkedUTF8: isMarkedUTF8)
  }

  /// Bit 0 says that a password is needed, bit 13 that the directory is masked too.
  private var isEncrypted: Bool { flags & 0x2001 != 0 }

  /// Bit 11 says that the name is in UTF-8.
  private var isMarkedUTF8: Bool { flags & 0x800 != 0 }

  private func kind(_ name: String) -> ZIPEntry.Kind {
    // Only Unix-like hosts keep a file mode there, but no other has reason to fake one.
    switch attributes >> 16 & 0o170000 {
    case 0o120000: .symbolicLink
    case 0, 0o100000, 0o040000: name.last == "/" || name.last == "\\" ? .folder : .file
    default: .special
    }
  }

  /// The sizes and the offset, of which those that are all ones are stored in the 64-bit extra field.
  private func wideSizes(
    _ directory: UnsafeRawBufferPointer
  ) -> (size: UInt64, compressedSize: UInt64, offset: UInt64) {
    var wide = unsafe extraField(1, directory)
    func widened(_ narrow: UInt32) -> UInt64 {
      guard narrow == UInt32.max, wide.count >= 8 else { return UInt64(narrow) }
      defer { wide = wide.lowerBound + 8..<wide.upperBound }
      return unsafe directory.littleEndian(at: wide.lowerBound)
    }
    let size = widened(size)
    let compressedSize = widened(compressedSize)
    return (size, compressedSize, widened(offset))
  }

  /// The range of an extra field's content; empty if there is none.
  private func extraField(_ wanted: UInt16, _ directory: UnsafeRawBufferPointer) -> Range<Int> {
    var position = extra.lowerBound
    while position + 4 <= extra.upperBound {
      let tag: UInt16 = unsafe directory.littleEndian(at: position)
      let length: UInt16 = unsafe directory.littleEndian(at: position + 2)
      let content = position + 4..<position + 4 + Int(length)
      guard content.upperBound <= extra.upperBound else { break }
      if tag == wanted { return content }
      position = content.upperBound
    }
    return extra.lowerBound..<extra.lowerBound
  }
}
