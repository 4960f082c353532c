import Foundation
import PortolanArchives

/// An archive put together field by field, so that a test can get each of them wrong.
struct RawZIP {
  struct Entry {
    var name: [UInt8]
    var content: Data
    var flags: UInt16 = 0
    var method: UInt16 = 0
    var checksum: UInt32
    var size: UInt32
    var compressedSize: UInt32
    var attributes: UInt32 = 0
    /// The name in the header before the content, where it shall differ.
    var localName: [UInt8]?
    /// The offset in the directory, where it shall lie.
    var offset: UInt32?
    var localExtra: [UInt8] = []
    /// The sizes in the header before the content, where they shall differ.
    var localSize: UInt32?
    var localCompressedSize: UInt32?
    /// The extra field in the directory.
    var extra: [UInt8] = []

    init(_ name: String, _ content: String = "content") {
      self.init(Array(name.utf8), Data(content.utf8))
    }

    init(_ name: [UInt8], _ content: Data) {
      self.name = name
      self.content = content
      checksum = RawZIP.checksum(content)
      size = UInt32(content.count)
      compressedSize = UInt32(content.count)
    }

    /// An entry whose content is compressed, though in name only.
    static func deflated(_ name: String, _ content: String = "content") -> Entry {
      let plain = Array(content.utf8)
      let count = UInt8(plain.count)
      // The last block, stored: its length, its complement, its bytes.
      var entry = Entry(Array(name.utf8), Data([1, count, 0, ~count, 0xFF] + plain))
      entry.method = 8
      entry.size = UInt32(plain.count)
      entry.checksum = RawZIP.checksum(Data(plain))
      return entry
    }

    func with(_ change: (inout Entry) -> Void) -> Entry {
      var entry = self
      change(&entry)
      return entry
    }
  }

  var entries: [Entry]
  var prefix = Data()
  var comment = Data()
  /// The number of entries that the end record announces, where it shall lie.
  var announcedCount: UInt16?

  init(_ entries: Entry...) { self.entries = entries }

  var source: MemoryByteSource { MemoryByteSource(data, name: "t.zip") }

  var data: Data {
    var file = prefix
    var directory = Data()
    for entry in entries {
      let offset = entry.offset ?? UInt32(file.count - prefix.count)
      let name = entry.localName ?? entry.name
      let local = entry.with {
        $0.size = entry.localSize ?? entry.size
        $0.compressedSize = entry.localCompressedSize ?? entry.compressedSize
      }
      file += numbers(UInt32(0x0403_4B50), UInt16(20)) + common(local)
      file += numbers(UInt16(name.count), UInt16(entry.localExtra.count))
      file += name + entry.localExtra + entry.content
      directory += numbers(UInt32(0x0201_4B50), UInt16(0x314), UInt16(20)) + common(entry)
      directory += numbers(UInt16(entry.name.count), UInt16(entry.extra.count))
      directory += numbers(UInt16(0), UInt16(0), UInt16(0))
      directory += numbers(entry.attributes, offset) + entry.name + entry.extra
    }
    let start = UInt32(file.count - prefix.count)
    let count = announcedCount ?? UInt16(entries.count)
    file += directory
    file += numbers(UInt32(0x0605_4B50), UInt16(0), UInt16(0), count, count)
    file += numbers(UInt32(directory.count), start, UInt16(comment.count))
    return file + comment
  }

  private func common(_ entry: Entry) -> Data {
    numbers(entry.flags, entry.method, UInt32(0x21_0000))
      + numbers(entry.checksum, entry.compressedSize, entry.size)
  }

  func numbers<each Number: FixedWidthInteger>(_ values: repeat each Number) -> Data {
    var data = Data()
    for value in repeat each values {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  /// CRC-32, bit by bit.
  static func checksum(_ data: Data) -> UInt32 {
    ~data.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
    }
  }
}
