import Testing

@testable import PortolanArchives

/// The limits of a directory.
@Suite struct ZIPDirectoryTests {
  private static let source = RawZIP(.init("a"), .init("b"), .init("c")).source

  /// 46 bytes and the name for each entry.
  private static let size = 3 * 47

  private func count(entries: Int = 3, bytes: Int = Self.size) throws(ArchiveError) -> Int {
    let limits = ZIPDirectory.Limits(entryCount: entries, directorySize: bytes)
    return try ZIPDirectory(of: Self.source, limits: limits).entries.count
  }

  private func refusal(_ limit: Int) -> ArchiveError {
    .tooLarge(file: "t.zip", entry: "its directory", limit: limit)
  }

  @Test func `A directory has as many entries and bytes as it may, and none more`() throws {
    #expect(try count() == 3)
    #expect(throws: refusal(2)) { try count(entries: 2) }
    #expect(throws: refusal(Self.size - 1)) { try count(bytes: Self.size - 1) }
  }
}
