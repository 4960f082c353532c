import Foundation
import PortolanConversion
import PortolanTestSupport
import Testing

@testable import PortolanAuthoring

/// Tile packages that become backdrops, with tiles that cannot be read.
@Suite(.needsSharedFiles, .temporaryDirectory) struct BackdropCheckTests {
  private func package(damaged isDamaged: Bool) throws -> URL {
    let file = temporaryDirectory.appending(path: isDamaged ? "usa.tpkx" : "whole.tpkx")
    try SharedFiles.copy("samples/tile-packages/Usa.tpkx", to: file)
    guard isDamaged else { return file }
    // The tiles of the last level, which lie there uncompressed.
    var data = try Data(contentsOf: file)
    let place = (data.count - 400_000)..<(data.count - 100_000)
    data.replaceSubrange(place, with: Data(repeating: 0xFF, count: place.count))
    try data.write(to: file)
    return file
  }

  @Test(arguments: [true, false])
  func `Damaged tiles of a backdrop are listed`(_ isDamaged: Bool) async throws {
    var result = ConversionResult()
    try await BackdropCheck(file: try package(damaged: isDamaged)).note(in: &result)
    // The first tile of each of its first two levels lacks four bytes as Esri publishes it.
    let published = ["tile 0/0/0", "tile 1/0/0"]
    #expect(result.failures.prefix(2).map(\.item) == published)
    #expect((result.failureCount > published.count) == isDamaged)
    #expect(result.failures.allSatisfy { $0.part == (isDamaged ? "usa.tpkx" : "whole.tpkx") })
  }

  @Test(arguments: [true, false])
  func `A package with damaged tiles in its backdrop is made in part; a preview does not look`(
    _ isChecked: Bool
  ) async throws {
    _ = try package(damaged: true)
    let specification = temporaryDirectory.appending(path: "book.json")
    let text = """
      {"title": "Usa", "data": {"Trees": {"file": "trees.csv"}}, "maps": [
        {"name": "m", "backdrop": "usa.tpkx", "layers": [{"data": "Trees", "title": "Trees"}]}]}
      """
    try Data(text.utf8).write(to: specification)
    try Data("NAME,longitude,latitude\nOak,-98.15,38.35\n".utf8)
      .write(to: temporaryDirectory.appending(path: "trees.csv"))
    let result = try await PackageAuthor(
      try PackageSpecification(at: specification), checksBackdrops: isChecked
    ).write(to: temporaryDirectory.appending(path: "book.mmpk"))
    #expect((result.failureCount > 0) == isChecked)
    #expect((result.failures.first?.contains("usa.tpkx") == true) == isChecked)
  }
}
