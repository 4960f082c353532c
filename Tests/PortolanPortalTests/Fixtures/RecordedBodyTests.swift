import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@Suite(.needsSharedFiles) struct RecordedBodyTests {
  static let folders = [
    "portal", "errors", "featureserver", "featurequery", "pbf", "mapserver", "imageserver",
    "vectortile", "geocode", "gp", "sync", "serverroot", "webmap",
  ]

  static let readers: [RecordedBodyReader] = [
    RecordedBodyReader.portal, RecordedBodyReader.errors, RecordedBodyReader.features,
    RecordedBodyReader.maps, RecordedBodyReader.jobs,
  ].flatMap { $0 }

  @Test(arguments: folders.flatMap(RecordedBody.paths)) func `Every recorded body is read`(
    _ path: String
  ) async throws {
    let reader = try #require(Self.readers.first { $0.reads(path) }, "nothing reads \(path)")
    try await reader.read(RecordedBody.portal(answering: path), RecordedBody.service)
  }
}
