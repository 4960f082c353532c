import Foundation
import PortolanApp
import PortolanFeatures
import PortolanPackages
import PortolanTestSupport
import Testing

@MainActor
@Suite(.temporaryDirectory) struct ConversionModelTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  @Test func `A conversion ends with a result, and tells how far it is`() async throws {
    let model = ConversionModel(opener: OneTable())
    #expect(model.state == .idle)
    let (reports, continuation) = AsyncStream.makeStream(of: WorkProgress.self)
    let result = try await model.convert(
      .init(url("in.geodatabase"), to: url("out.geojson")), progress: continuation)
    #expect(model.state == .done(result))
    #expect(result.tables.map(\.writtenCount) == [1])
    var last: WorkProgress?
    for await report in reports { last = report }
    #expect(last?.part == "rows")
    #expect(model.state.canConvert)
  }

  @Test func `A conversion that fails says why, and another may follow`() async throws {
    let model = ConversionModel(opener: OneTable())
    let request = ConversionModel.Request(url("in.geodatabase"), to: url("out.xyz"))
    await #expect(throws: Problem.self) { try await model.convert(request) }
    guard case .failed(let problem) = model.state else {
      Issue.record("\(model.state)")
      return
    }
    #expect(problem.message.contains("out.xyz"))
    #expect(problem.suggestion != nil)
    #expect(model.state.canConvert)
  }

  @Test func `Only one conversion runs at a time`() {
    #expect(!ConversionModel.State.running(nil).canConvert)
    #expect(ConversionModel.State.idle.canConvert)
  }
}

/// A file with one table of one row.
private struct OneTable: FileOpening {
  func open(_ url: URL) async throws -> OpenedFile {
    let fields = FieldList([Field("OBJECTID", .objectID)])
    let row = Feature(objectID: 1, attributes: Attributes(fields, [.integer(1)]))
    let table = FeatureTableContents(
      schema: FeatureTableSchema(name: "rows", fields: fields.fields), features: [row])
    return .features(
      InMemoryFeatureStore([table]), FileFacts(kind: .geodatabase, name: url.lastPathComponent))
  }
}
