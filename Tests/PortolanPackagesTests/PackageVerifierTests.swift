import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

@testable import PortolanPackages
@testable import PortolanSQLite

@Suite(.temporaryDirectory) struct PackageVerifierTests {
  private var file: URL { temporaryDirectory.appending(path: "package") }

  private func makeDatabase() throws {
    let connection = try Connection(at: file, access: .create)
    try connection.execute("CREATE TABLE park (id INTEGER PRIMARY KEY, name TEXT)")
    for number in 1...2_000 {
      try connection.execute(
        "INSERT INTO park VALUES (?1, ?2)", .integer(Int64(number)),
        .text("park number \(number)"))
    }
  }

  private func makeArchive() throws {
    var writer = try ZIPWriter(replacing: file)
    try writer.add("tiles/a", Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }))
    try writer.finish()
  }

  /// Changes some bytes in the middle of the file.
  private func damage() throws {
    var data = try Data(contentsOf: file)
    for index in stride(from: data.count / 2, to: data.count / 2 + 64, by: 1) {
      data[index] ^= 0xFF
    }
    try data.write(to: file)
  }

  private func verify() async -> PackageError? {
    do {
      try await PackageVerifier().verify(file)
      return nil
    } catch {
      return error as? PackageError
    }
  }

  @Test func `A database is sound, damaged in its middle, or cut`() async throws {
    try makeDatabase()
    #expect(await verify() == nil)
    let whole = try Data(contentsOf: file)
    try damage()
    guard case .damaged? = await verify() else {
      Issue.record("damage was not found")
      return
    }
    try whole.prefix(whole.count / 2).write(to: file)
    guard case .damaged? = await verify() else {
      Issue.record("a cut was not found")
      return
    }
  }

  private func error(_ code: DatabaseError.Code) -> any Error {
    PackageVerifier.failure(
      DatabaseError(extendedCode: code.rawValue, message: "why", sql: nil, file: "package"),
      of: "package")
  }

  @Test(arguments: [DatabaseError.Code.busy, .locked])
  func `A database that another program keeps locked is told as such`(code: DatabaseError.Code) {
    let told = error(code)
    #expect(told as? PackageError == .busy(file: "package", holder: nil))
    #expect("\(told.localizedDescription)".contains("in use by another program"))
  }

  @Test(arguments: [DatabaseError.Code.cannotOpen, .inputOutput, .full, .readOnly])
  func `A temporary obstacle to reading a database is not damage`(code: DatabaseError.Code) {
    #expect(error(code) as? PackageError == .unreadable(file: "package", reason: "why"))
  }

  @Test(arguments: [DatabaseError.Code.corrupt, .notADatabase, .sql, .tooLarge])
  func `What SQLite cannot read in a database is damage`(code: DatabaseError.Code) {
    #expect(
      error(code) as? PackageError
        == .damaged(file: "package", place: "the database", reason: "why"))
  }

  @Test func `A cancelled search finds nothing`() {
    #expect(error(.interrupted) is CancellationError)
  }

  @Test func `A defect of an archive is reported for the file, not for its location`()
    async throws
  {
    try makeArchive()
    let whole = try Data(contentsOf: file)
    try damage()
    var errors = [try #require(await verify())]
    try whole.prefix(whole.count / 2).write(to: file)
    errors.append(try #require(await verify()))
    for error in errors {
      let text = try #require(error.errorDescription)
      #expect(text.hasPrefix("package is damaged, in "), "\(text)")
      #expect(text.components(separatedBy: "package").count == 2, "\(text)")
      #expect(!text.contains(temporaryDirectory.path()) && !text.hasSuffix(".."), "\(text)")
    }
  }

  @Test func `An archive is sound, damaged in its middle, or cut`() async throws {
    try makeArchive()
    #expect(await verify() == nil)
    let whole = try Data(contentsOf: file)
    try damage()
    guard case .damaged(_, _, _)? = await verify() else {
      Issue.record("damage was not found")
      return
    }
    try whole.prefix(whole.count / 2).write(to: file)
    guard case .damaged? = await verify() else {
      Issue.record("a cut was not found")
      return
    }
  }

  @Test func `An archive that is packed in another way is not damaged`() async throws {
    try makeArchive()
    var data = try Data(contentsOf: file)
    // The offsets of the method in the header of an entry and in its record in the directory
    // (APPNOTE 4.3).
    for (signature, offset) in [("PK\u{3}\u{4}", 8), ("PK\u{1}\u{2}", 10)] {
      let start = try #require(data.range(of: Data(signature.utf8))).lowerBound
      data[start + offset] = 12
    }
    try data.write(to: file)
    let error = PackageError.unsupported(
      file: "package", place: "tiles/a", feature: "bzip2 compression (method 12)")
    #expect(await verify() == error)
    #expect(error.recoverySuggestion?.contains("deflate") == true)
  }

  @Test func `Other files, and folders, are left to those that open them`() async throws {
    try Data("PMTiles".utf8).write(to: file)
    #expect(await verify() == nil)
    try await PackageVerifier().verify(temporaryDirectory)
    await #expect(throws: PackageError.noSuchFile("none")) {
      try await PackageVerifier().verify(temporaryDirectory.appending(path: "none"))
    }
  }

  // MARK: - What comes from elsewhere

  private struct Unplugged: Error {}

  @Test func `While copying, archives are read through, and other files at their beginning`()
    async throws
  {
    try await PackageVerifier().verify("map.geodatabase", byteCount: 1_000) { range in
      guard range == 0..<2 else { throw Unplugged() }
      return Data("SQ".utf8)
    }
    try await PackageVerifier().verify("empty", byteCount: 0) { _ in Data() }
    try makeArchive()
    let sound = try Data(contentsOf: file)
    try await PackageVerifier().verify("map.mmpk", byteCount: sound.count) {
      sound.subdata(in: $0)
    }
    try damage()
    let damaged = try Data(contentsOf: file)
    let error = PackageError.damaged(
      file: "map.mmpk", place: "tiles/a", reason: "its checksum is wrong")
    await #expect(throws: error) {
      try await PackageVerifier().verify("map.mmpk", byteCount: damaged.count) {
        damaged.subdata(in: $0)
      }
    }
  }

  @Test func `What prevents reading a copy is reported rather than damage`() async throws {
    try makeArchive()
    let sound = try Data(contentsOf: file)
    await #expect(throws: Unplugged.self) {
      try await PackageVerifier().verify("map.mmpk", byteCount: sound.count) { range in
        guard range.lowerBound == 0 else { throw Unplugged() }
        return sound.subdata(in: range)
      }
    }
  }
}
