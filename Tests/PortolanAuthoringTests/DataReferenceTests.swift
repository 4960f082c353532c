import Foundation
import PortolanConversion
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanAuthoring

/// What the coordinates of a package's data mean, and what their days and times do.
@Suite(.temporaryDirectory) struct DataReferenceTests {
  private func create(_ data: String) async throws -> AuthoringResult {
    let url = temporaryDirectory.appending(path: "book.json")
    let text = """
      {"title": "Survey", "data": {"Points": {\(data)}},
       "maps": [{"name": "survey", "layers": [{"data": "Points", "title": "Points"}]}]}
      """
    try Data(text.utf8).write(to: url)
    return try await PackageAuthor(PackageSpecification(at: url), drawing: PictureDrawing())
      .write(to: temporaryDirectory.appending(path: "\(UUID().uuidString).mmpk"))
  }

  @Test(arguments: [("shapes.shp", nil), ("shapes.shp", "garbage"), ("rows.csv", "garbage")])
  func `Data that do not say what their coordinates mean are refused, with the name of a bad .prj`(
    _ name: String, _ projection: String?
  ) async throws {
    let url = temporaryDirectory.appending(path: name)
    let rows = temporaryDirectory.appending(path: "rows.csv")
    try Data("NAME,x,y\nA,419825,4872358\n".utf8).write(to: rows)
    if name.hasSuffix(".shp") {
      let store = try await TableFile.csv(at: rows)
      _ = try await Conversion(of: .features(store), at: rows, to: url).run()
    }
    let file = url.deletingPathExtension().appendingPathExtension("prj")
    if let projection { try Data(projection.utf8).write(to: file) }
    let error = await #expect(throws: AuthoringError.self) {
      try await create("\"file\": \"\(name)\"")
    }
    let sentence = try #require(error?.localizedDescription)
    #expect(sentence.contains("Nothing says what the coordinates of \"\(name)\" mean"))
    let fault = "\"\(file.lastPathComponent)\" defines no spatial reference that is known"
    #expect(sentence.contains(fault) == (projection != nil), "\(sentence)")
    let result = try await create("\"file\": \"\(name)\", \"spatialReference\": 32619")
    #expect(result.tables.map(\.writtenCount) == [1])
    #expect(!result.notes.contains { $0.contains(".prj") })
  }

  @Test(arguments: ["rows.csv", "rows.geojson"])
  func `Times that are read as more than they say are noted`(_ name: String) async throws {
    let text =
      name.hasSuffix(".csv")
      ? "lon,lat,at\n1,2,2024-05-01 12:00:00.123456\n"
      : """
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]},
       "properties": {"at": "2024-05-01T12:00:00.123456"}}
      """
    try Data(text.utf8).write(to: temporaryDirectory.appending(path: name))
    let result = try await create("\"file\": \"\(name)\"")
    #expect(result.notes.filter { $0.hasPrefix("Times in \"at\"") }.count == 2, "\(result.notes)")
  }
}
