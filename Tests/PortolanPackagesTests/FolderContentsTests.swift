import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanPackages

/// Folders that nobody meant as a package, such as the root of a disk.
@Suite(.temporaryDirectory) struct FolderContentsTests {
  private var root: URL { temporaryDirectory.appending(path: "package") }

  /// Makes empty files, with their folders.
  private func make(_ paths: [String]) throws {
    for path in paths {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  @Test func `Files are listed by name, links only where they stay in the folder`() throws {
    try make(["b/c", "a"])
    try Data().write(to: temporaryDirectory.appending(path: "outside"))
    for (name, target) in [("in", "a"), ("out", "../outside"), ("gone", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: root.appending(path: name).path(percentEncoded: false),
        withDestinationPath: target)
    }
    let paths = try FolderContents(root).paths
    #expect(paths.filter { $0 != "gone" } == ["a", "b/c", "in"])
  }

  @Test func `A file is found however its path is spelled`() throws {
    try make(["P13/Tiles.TPKX"])
    let contents = try FolderContents(root)
    for path in ["P13/Tiles.TPKX", "p13/tiles.tpkx"] {
      #expect(contents.spelling(of: path) == "P13/Tiles.TPKX")
    }
    #expect(contents.spelling(of: "p13/tiles") == nil)
  }

  @Test func `A folder that goes deeper than packages do is refused`() throws {
    try make([String(repeating: "x/", count: 16) + "y"])
    let error = #expect(throws: PackageError.self) { try FolderContents(root) }
    #expect(error?.localizedDescription.contains("more than 16 deep") == true)
  }

  @Test func `A folder that takes too long to list is refused`() throws {
    try make((0..<300).map { "\($0)" })
    let error = #expect(throws: PackageError.self) {
      try FolderContents(root) { .seconds(61) }
    }
    #expect(error?.localizedDescription.contains("more than a minute") == true)
    #expect(try FolderContents(root) { .seconds(59) }.paths.count == 300)
  }

  @Test func `A folder without a package is not gone through`() async throws {
    try make([String(repeating: "x/", count: 16) + "y.info"])
    let error = await #expect(throws: PackageError.self) {
      _ = try await MobileMapPackage.open(
        at: root, unpackingInto: temporaryDirectory, now: .distantPast)
    }
    #expect(error?.localizedDescription.contains("deep") == false)
  }

  @Test func `A file of a folder is read as far as it may be, and one that is missing is named`()
    throws
  {
    try make(["a"])
    try Data("abc".utf8).write(to: root.appending(path: "a"))
    let contents = try FolderContents(root)
    #expect(try contents.data(at: "a", limit: 3) == Data("abc".utf8))
    let file = root.resolvingSymlinksInPath().appending(path: "a")
    #expect(try contents.location(of: "a") == .file(file))
    func damage(_ place: String, _ reason: String) -> PackageError {
      .damaged(file: "package", place: place, reason: reason)
    }
    #expect(throws: damage("a", "it has more than 2 bytes")) {
      try contents.data(at: "a", limit: 2)
    }
    #expect(throws: damage("b", "the file is missing")) { try contents.data(at: "b", limit: 2) }
    #expect(throws: damage("b", "the file is missing")) { try contents.location(of: "b") }
  }
}
