import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The file that a reader sees while it is copied in.
@Suite(.temporaryDirectory) struct IncomingFileTests {
  private static let piece = 1 << 20
  private static let bytes = Data(
    (0..<3 * piece + 17).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })
  private static let count = bytes.count

  private struct NotSound: Error, Equatable {}

  private var source: URL { temporaryDirectory.appending(path: "maine.mmpk") }
  private var target: URL { temporaryDirectory.appending(path: "copy.mmpk") }

  private func incoming() throws -> IncomingFile {
    try Self.bytes.write(to: source)
    return try IncomingFile(source, to: target, in: .live)
  }

  @Test func `Sequential reads are copied on the way, across pieces and small gaps`()
    throws
  {
    let file = try incoming()
    #expect(file.name == "maine.mmpk" && file.byteCount == Self.count)
    let piece = Self.piece
    let ranges = [
      0..<10, 5..<20, 100..<(piece + 50), (piece + 10)..<(piece + 60), 3 * piece..<(3 * piece + 5),
      (3 * piece + 5)..<Self.count,
    ]
    for range in ranges { #expect(try file.read(range) == Self.bytes[range], "\(range)") }
    #expect(file.rereadByteCount == 0)
    // The part that has gone by is read from the original.
    #expect(try file.read(7..<30) == Self.bytes[7..<30])
    #expect(file.rereadByteCount == 23)
    let digest = try file.finish()
    #expect(try Data(contentsOf: target) == Self.bytes)
    #expect(try digest == FileDigest.digest(of: source) { _ in })
  }

  @Test func `The end can be read before, and does not come first in the copy`() throws {
    let file = try incoming()
    let end = (Self.count - 22)..<Self.count
    #expect(try file.read(end) == Self.bytes[end])
    #expect(file.rereadByteCount == 22)
    let path = source.path(percentEncoded: false)
    #expect(throws: FileError.truncated(file: path, offset: Self.count)) {
      try file.read((Self.count - 1)..<(Self.count + 1))
    }
    #expect(try file.read(0..<9) == Self.bytes[0..<9])
    _ = try file.finish()
    #expect(try Data(contentsOf: target) == Self.bytes)
  }

  @Test func `A file that is not read to its end leaves no written data behind`()
    throws
  {
    do {
      let file = try incoming()
      #expect(try file.read(0..<9).count == 9)
      #expect(!FileSystem.live.exists(target))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(names == ["maine.mmpk"])
  }

  // MARK: - Inspections

  @Test func `A defect found in a file is reported unchanged, and nothing of the file stays`()
    async throws
  {
    try Self.bytes.write(to: source)
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (library, staging) = (bed.library(), bed.layout.staging("import-1"))
    let original = source
    await #expect(throws: NotSound()) {
      try await library.stageCopy(of: original, for: "import-1") { _ in throw NotSound() }
    }
    #expect(!FileSystem.live.exists(staging))
    // An obstacle to looking at it is no finding.
    await #expect(throws: LibraryError.cancelled) {
      try await library.stageCopy(of: original, for: "import-1") { _ in throw CancellationError() }
    }
    await #expect(throws: LibraryError.diskFull(file: "copy")) {
      try await library.stageCopy(of: original, for: "import-1") { _ in
        throw FileError.diskFull(file: "copy")
      }
    }
    #expect(!FileSystem.live.exists(staging))
    #expect(try Data(contentsOf: source) == Self.bytes)
  }

  @Test func `A defect found in a file that is written meanwhile does not count`()
    async throws
  {
    try Self.bytes.write(to: source)
    let bed = try await LibraryBed(in: temporaryDirectory)
    let original = source
    await #expect(throws: LibraryError.beingEdited(map: "maine.mmpk", by: nil)) {
      try await bed.library().stageCopy(of: original, for: "import-1") { _ in
        try Data("newer".utf8).write(to: original)
        throw NotSound()
      }
    }
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
  }

  @Test func `A file that another one of the same date replaces while it is copied is refused`()
    async throws
  {
    let (original, bytes) = (source, Self.bytes)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let write: @Sendable () throws -> Void = {
      try bytes.write(to: original)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: original.path)
    }
    try write()
    let bed = try await LibraryBed(in: temporaryDirectory)
    await #expect(throws: LibraryError.beingEdited(map: "maine.mmpk", by: nil)) {
      try await bed.library().stageCopy(of: original, for: "import-1") { _ in
        try FileManager.default.removeItem(at: original)
        try write()
      }
    }
    let copy = try await bed.library().stageCopy(of: original, for: "import-1") { file in
      _ = try file.read(0..<1)
    }
    #expect(copy.isInspected)
    #expect(try Data(contentsOf: copy.url) == bytes)
  }
}
