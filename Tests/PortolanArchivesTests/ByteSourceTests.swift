import Foundation
import PortolanArchives
import PortolanFiles
import PortolanTestSupport
import Testing

/// The same bytes from everywhere that bytes come from.
enum SourceKind: CaseIterable, Sendable {
  case memory, memorySlice, copying, mapped, window, mappedWindow

  func make(_ data: Data) throws -> any ByteSource {
    let url = temporaryDirectory.appending(path: "bytes")
    switch self {
    case .memory: return MemoryByteSource(data, name: "bytes")
    case .memorySlice: return MemoryByteSource((Data([9, 9]) + data).dropFirst(2), name: "bytes")
    case .copying, .mapped:
      try data.write(to: url)
      return try FileByteSource(at: url, access: self == .mapped ? .mapped : .copying)
    case .window, .mappedWindow:
      try (Data([1, 2, 3]) + data + Data([4])).write(to: url)
      let file = try FileByteSource(at: url, access: self == .mappedWindow ? .mapped : .copying)
      return try SubrangeByteSource(file, range: 3..<3 + data.count)
    }
  }
}

@Suite(.temporaryDirectory) struct ByteSourceTests {
  private let data = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  @Test(arguments: SourceKind.allCases)
  func `A range is read whole, however it is read`(_ kind: SourceKind) throws {
    let source = try kind.make(data)
    #expect(source.count == data.count)
    for range in [0..<0, 0..<1, 5..<5_000, 9_999..<10_000, 10_000..<10_000, 0..<10_000] {
      #expect(try source.read(range) == data[range])
      #expect(try source.read(range).startIndex == 0)
      #expect(try source.withBytes(in: range) { Data($0) } == data[range])
    }
  }

  @Test(arguments: SourceKind.allCases, [-1..<2, 9_999..<10_001, 20_000..<20_001, 0..<Int.max])
  func `A range that is not there is an error`(_ kind: SourceKind, _ range: Range<Int>) throws {
    let source = try kind.make(data)
    #expect(throws: ArchiveError.truncated(file: source.name, offset: range.upperBound)) {
      try source.read(range)
    }
    #expect(throws: ArchiveError.self) { try source.withBytes(in: range) { $0.count } }
  }

  @Test(arguments: SourceKind.allCases) func `Nothing is a source too`(_ kind: SourceKind) throws {
    let source = try kind.make(Data())
    #expect(source.count == 0)
    #expect(try source.read(0..<0).isEmpty)
  }

  @Test func `A pipe is refused and not waited for`() {
    let url = temporaryDirectory.appending(path: "pipe")
    #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
    #expect(throws: ArchiveError.self) { try FileByteSource(at: url) }
  }

  @Test func `What is lent may fail with its own error`() throws {
    let source = try SourceKind.mapped.make(data)
    #expect(throws: ArchiveError.notAnArchive(file: "x")) {
      try source.withBytes(in: 0..<1) { _ throws(ArchiveError) in
        throw ArchiveError.notAnArchive(file: "x")
      }
    }
  }

  @Test(arguments: ["absent", "."]) func `An unreadable file is named`(_ name: String) {
    let url = temporaryDirectory.appending(path: name)
    #expect {
      _ = try FileByteSource(at: url)
    } throws: {
      guard case .unreadable(url.path(percentEncoded: false), _) = $0 as? ArchiveError else {
        return false
      }
      return true
    }
  }

  @Test func `A file that is cut after it was opened is truncated`() throws {
    let source = try SourceKind.copying.make(data)
    let file = try FileHandle(forWritingTo: temporaryDirectory.appending(path: "bytes"))
    try file.truncate(atOffset: 4_000)
    #expect(throws: ArchiveError.truncated(file: source.name, offset: 4_000)) {
      try source.read(3_000..<5_000)
    }
  }

  @Test(arguments: [SourceKind.copying, .mapped])
  func `A file that is replaced is read as it was`(_ kind: SourceKind) throws {
    let source = try kind.make(data)
    var staged = try StagedFile(replacing: temporaryDirectory.appending(path: "bytes"))
    try staged.write(Data("new".utf8))
    try staged.commit()
    #expect(try source.read(0..<10_000) == data)
  }
}
