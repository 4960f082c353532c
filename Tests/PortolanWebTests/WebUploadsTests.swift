import Foundation
import PortolanApp
import Testing

@testable import PortolanWeb

@Suite struct WebUploadsTests {
  private func piece(
    _ number: Int, size: Int = 2, at offset: Int = 0, named name: String = "x.mmpk"
  ) -> WebUploads.Piece {
    WebUploads.Piece(
      id: "upload-\(number)", name: name, size: size, offset: offset, data: Data([1]))
  }

  @Test(arguments: [
    // A hundred and thirty letters that take two bytes each, but for the ending.
    String(repeating: "\u{43A}\u{430}\u{440}\u{442}\u{430}", count: 25) + ".mmpk", ".hidden.mmpk",
    "back\\slash.mmpk",
  ])
  func `A file is taken under whatever name it can have`(_ name: String) async throws {
    let uploads = WebUploads()
    _ = try await uploads.append(piece(1, size: 1, named: name))
    let whole = try await uploads.take("upload-1")
    #expect(whole.file.lastPathComponent == name)
    await uploads.remove(whole)
  }

  @Test(arguments: [
    "", ".", "..", "../x.mmpk", "a/b.mmpk", "../\u{301}x.mmpk", "x\0.mmpk",
    String(repeating: "x", count: 256),
  ])
  func `What can be no name of a file is refused, with what to do`(_ name: String) async throws {
    let uploads = WebUploads()
    let problem = await #expect(throws: Problem.self) {
      try await uploads.append(piece(1, named: name))
    }
    #expect(problem?.suggestion == "Rename the file, then choose it again.")
  }

  @Test func `Files that pages abandoned make room, the oldest first`()
    async throws
  {
    let uploads = WebUploads()
    for number in 0..<8 { _ = try await uploads.append(piece(number)) }
    _ = try await uploads.append(piece(0, at: 1))
    _ = try await uploads.append(piece(8))
    let whole = try await uploads.take("upload-0")
    #expect(try Data(contentsOf: whole.file) == Data([1, 1]))
    let problem = await #expect(throws: Problem.self) { try await uploads.take("upload-1") }
    #expect(problem?.kind == .absence)
    await uploads.remove(whole)
    await uploads.removeAll()
    #expect(!FileManager.default.fileExists(atPath: whole.folder.path))
  }

  @Test func `A file of which a part is missing is not handed over, and a file only once`()
    async throws
  {
    let uploads = WebUploads()
    _ = try await uploads.append(piece(1))
    await #expect(throws: Problem.self) { try await uploads.take("upload-1") }
    _ = try await uploads.append(piece(2, size: 1))
    let whole = try await uploads.take("upload-2")
    await #expect(throws: Problem.self) { try await uploads.take("upload-2") }
    await uploads.remove(whole)
  }

  @Test func `A file that is larger than the room there is is refused before it is sent`()
    async throws
  {
    let uploads = WebUploads(freeSpace: { _ in 1_000 })
    let problem = await #expect(throws: Problem.self) {
      try await uploads.append(piece(1, size: 1_001))
    }
    #expect(problem?.actions.map(\.kind) == [.freeSpace])
    _ = try await uploads.append(piece(1, size: 1_000))
    await uploads.removeAll()
  }

  @Test func `What was made to be saved is kept until four others were, under a safe name`()
    async throws
  {
    let downloads = WebDownloads()
    var made: [(id: String, name: String)] = []
    for title in ["../a:b", "", "A b", "c", "d"] {
      made.append(
        try await downloads.make(titled: title, "mmpk") { file throws(Problem) in
          do { try Data([1]).write(to: file) } catch { throw Problem(error) }
        })
    }
    let names = made.map { $0.name }
    #expect(names == ["-a-b.mmpk", "Portolan.mmpk", "A b.mmpk", "c.mmpk", "d.mmpk"])
    await #expect(throws: Problem.self) { try await downloads.response(to: made[0].id) }
    for download in made.dropFirst() { _ = try await downloads.response(to: download.id) }
    await downloads.removeAll()
    await #expect(throws: Problem.self) { try await downloads.response(to: made[4].id) }
  }

  @Test func `Folders that a process left when it was killed are removed, and no others`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = ProcessInfo.processInfo.processIdentifier
    // No process of Linux has the highest number.
    let names = ["portolan-web-\(Int32.max)-a", "portolan-web-\(own)-b", "portolan-web-x", "other"]
    for name in names {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    TemporaryFolder.removeAbandoned(in: folder)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(Set(left) == Set(names.dropFirst()))
  }
}
