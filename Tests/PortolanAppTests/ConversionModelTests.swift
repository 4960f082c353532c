import Foundation
import PortolanApp
import PortolanFeatures
import PortolanPackages
import PortolanTestSupport
import Testing

@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ConversionModelTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  @Test func `A conversion reports its progress and ends with a result`() async throws {
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

  @Test func `Only one conversion runs at a time`() async throws {
    let gate = Gate()
    let model = ConversionModel(opener: OneTable(gate: gate))
    let first = ConversionModel.Request(url("in.geodatabase"), to: url("first.geojson"))
    let running = Task { try await model.convert(first) }
    await gate.isReached()
    #expect(model.state == .running(nil) && !model.state.canConvert)
    let second = ConversionModel.Request(url("in.geodatabase"), to: url("second.geojson"))
    await #expect(throws: Problem.self) { try await model.convert(second) }
    await gate.open()
    let result = try await running.value
    #expect(model.state == .done(result))
    #expect(
      !FileManager.default.fileExists(atPath: second.output.path(percentEncoded: false)))
  }
}

/// A file with one table of one row.
private struct OneTable: FileOpening {
  /// Holds the first who opens it back.
  var gate: Gate?

  func open(_ url: URL) async throws -> OpenedFile {
    await gate?.pass()
    let fields = FieldList([Field("OBJECTID", .objectID)])
    let row = Feature(objectID: 1, attributes: Attributes(fields, [.integer(1)]))
    let table = FeatureTableContents(
      schema: FeatureTableSchema(name: "rows", fields: fields.fields), features: [row])
    return .features(
      InMemoryFeatureStore([table]), FileFacts(kind: .geodatabase, name: url.lastPathComponent))
  }
}
