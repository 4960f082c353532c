import Foundation
import Testing

@testable import PortolanArchives

/// Whether what is decompressed comes from where the directory says.
@Suite struct LibZIPReaderTests {
  private static let source = RawZIP(.deflated("a", "one"), .deflated("b", "two")).source

  /// The decompressed content of an entry whose bytes ought to lie in a range.
  private func read(_ number: Int, at place: Range<Int>) throws -> String {
    let directory = try ZIPDirectory(of: Self.source)
    let reader = try LibZIPReader(Self.source, file: "t.zip")
    try reader.check(directory)
    var text = Data()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
    defer { buffer.deallocate() }
    try reader.read(directory.entries[number], at: place, through: buffer) { bytes in
      text.append(contentsOf: bytes)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of both entries, each with its header.
  private func places() throws -> [Range<Int>] {
    let archive = try ZIPArchive(Self.source)
    return try archive.entries.map { entry in
      entry.headerOffset..<(try archive.contentRange(of: entry).upperBound)
    }
  }

  @Test func `What lies where it ought to is read`() throws {
    let places = try places()
    #expect(try read(0, at: places[0]) == "one")
    #expect(try read(1, at: places[1]) == "two")
  }

  @Test func `What is read from elsewhere is not taken for the entry`() throws {
    let places = try places()
    let refusal = { (name: String) in
      ArchiveError.ambiguous(file: "t.zip", entry: name, reason: "two places")
    }
    #expect(throws: refusal("a")) { try read(0, at: places[1]) }
    #expect(throws: refusal("b")) { try read(1, at: places[0]) }
  }

  @Test func `Bytes read past the end of an entry are not part of it`() throws {
    let place = try places()[0]
    #expect(throws: ArchiveError.ambiguous(file: "t.zip", entry: "a", reason: "two places")) {
      try read(0, at: place.lowerBound..<place.upperBound - 3)
    }
  }
}
