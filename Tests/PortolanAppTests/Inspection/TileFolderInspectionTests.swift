import Foundation
import PortolanApp
import PortolanFiles
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanTileFiles

/// Folders of tiles, inspected.
@Suite(.temporaryDirectory) struct TileFolderInspectionTests {
  /// Hands out a folder that is open already.
  private struct OneFolder: FileOpening {
    let source: TileFolderSource

    func open(_ url: URL) async throws -> OpenedFile {
      .tiles(source, FileFacts(kind: .tileCache, name: url.lastPathComponent))
    }
  }

  private func folder(holding paths: [String]) throws -> URL {
    let folder = temporaryDirectory.appending(path: "tiles")
    for path in paths {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([0x89, 0x50, 0x4E, 0x47]).write(to: url)
    }
    return folder
  }

  @Test func `Tiles are counted and names are checked in one walk through the folder`() async throws
  {
    let folder = try folder(
      holding: ["0/0/0.png", "1/0/0.png", "1/0/1.png", "1/1/0.png", "1/1/notes.txt"])
    let recorder = FileSystemRecorder()
    let source = try TileFolderSource.open(folder, in: recorder.fileSystem)
    let opening = recorder.calls.count
    let inspection = try await FileInspector(opener: OneFolder(source: source)).inspect(folder)
    #expect(inspection.tileSets.map(\.counts) == [[0: 1, 1: 3]])
    #expect(inspection.warnings.count == 1)
    let lists = recorder.calls.dropFirst(opening).filter {
      guard case .list = $0 else { return false }
      return true
    }
    // The folder, two levels and three columns.
    #expect(lists.count == 6)
    #expect(Set(lists).count == lists.count)
  }
}
