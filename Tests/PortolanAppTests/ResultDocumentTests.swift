import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanJobs
import PortolanMap
import Testing

@testable import PortolanApp

/// The results of acts, as the values that shells keep or send, and as the documents that they
/// write.
struct ResultDocumentTests {
  private func comesBack<Value: Hashable & Sendable & Codable>(_ value: Value) throws -> Bool {
    try StateCoding.state(Value.self, from: try StateCoding.data(of: value)) == value
  }

  @Test func `The outcome for a map is a value, and a document`() throws {
    let deletion = MapDeletion(id: "a", title: "A", byteCount: 7, unsentEdits: 2)
    let deleted = RestoredMap(id: "a", title: "A", origin: .trash)
    let updated = RestoredMap(id: "a", title: "A", origin: .update)
    let export = MapExport(id: "a", title: "A", file: "/a.mmpk", byteCount: 7)
    var damaged = export
    damaged.damage = "b is missing."
    #expect(try comesBack(deletion))
    #expect(try comesBack([deleted, updated]))
    #expect(try comesBack([export, damaged]))
    #expect(deletion.json.text() == #"{"deleted":"a","title":"A","bytes":7,"unsentEdits":2}"#)
    #expect(deleted.json.text() == #"{"restored":"a","title":"A"}"#)
    #expect(updated.json.text() == #"{"rolledBack":"a","title":"A"}"#)
    #expect(
      export.json.text()
        == #"{"exported":"a","title":"A","file":"/a.mmpk","bytes":7,"damage":null,"#
        + #""unsentEdits":0}"#)
    #expect(damaged.json["damage"] == "b is missing.")
  }

  @Test(arguments: [
    (
      MapUpdate.Freshness.current,
      #"{"id":"a","title":"A","outcome":"current","message":"\"A\" is up to date."}"#
    ),
    (
      .untracked,
      #"{"id":"a","title":"A","outcome":"none","#
        + #""message":"\"A\" has no portal that could have a newer version."}"#
    ),
    (
      .unknown(Problem(message: "There is no network.")),
      #"{"id":"a","title":"A","outcome":"failed","#
        + #""message":"\"A\" was not updated: There is no network."}"#
    ),
    (
      .unknown(Problem(message: "\"A\" could not be downloaded: it does not exist.")),
      #"{"id":"a","title":"A","outcome":"failed","#
        + #""message":"Not updated: \"A\" could not be downloaded: it does not exist."}"#
    ),
  ])
  func `A map that is not updated says why`(
    _ freshness: MapUpdate.Freshness, _ document: String
  ) throws {
    let result = try #require(MapUpdateResult(unchanged: update(freshness)))
    #expect(try comesBack(result))
    #expect(result.json.text() == document)
  }

  @Test func `An area that its portal no longer has stays`() throws {
    let result = try #require(MapUpdateResult(unchanged: update(.withdrawn)))
    #expect(try comesBack(result) && result.outcome == .withdrawn)
    #expect(result.message == "The portal no longer has \"A\"; it stays on this device.")
  }

  @Test func `A map with a newer version is updated`() throws {
    #expect(MapUpdateResult(unchanged: update(.available)) == nil)
    let result = MapUpdateResult(update(.available), .updated)
    #expect(
      result.json.text() == #"{"id":"a","title":"A","outcome":"updated","message":null}"#)
  }

  @Test func `A scheduled update is reported with its size, and arrives with a synchronization`()
    throws
  {
    var update = update(.current)
    update.scheduled = MapUpdate.Scheduled(count: 2, byteCount: 300)
    #expect(try comesBack(update))
    #expect(update.json["scheduledUpdates"]?.int == 2 && update.json["scheduledBytes"]?.int == 300)
    let result = try #require(MapUpdateResult(unchanged: update))
    #expect(result.message?.contains("comes with its next synchronization") == true)
    #expect(result.outcome == .scheduled)
  }

  @Test func `A map made by services is not updated; the message says what receives its changes`()
    throws
  {
    var update = update(.untracked)
    update.comesWithSync = true
    let result = try #require(MapUpdateResult(unchanged: update))
    #expect(result.outcome == .untracked)
    #expect(update.json["comesWithSync"]?.bool == true)
    #expect(result.message?.contains("comes with its next synchronization") == true)
  }

  private func update(_ freshness: MapUpdate.Freshness) -> MapUpdate {
    MapUpdate(
      id: "a", title: "A", installed: .distantPast, storedModified: nil, portalModified: nil,
      freshness: freshness)
  }

  @Test func `The result of an audit or a repair is a value, and a document`() throws {
    let finding = StorageModel.Finding(
      kind: .damaged, sentence: "A file is missing.", repair: nil)
    let progress = StorageModel.Progress(title: "A", byteCount: 1, totalByteCount: 2)
    let repair = StorageModel.Repair(
      findings: [finding], failures: [.init(finding: finding, reason: "The disk is full.")],
      left: [finding])
    #expect(try comesBack(progress))
    #expect(try comesBack(repair))
    #expect(progress.json.text() == #"{"title":"A","bytes":1,"totalBytes":2}"#)
    let document =
      #"{"kind":"damaged","sentence":"A file is missing.","repair":null,"advice":null}"#
    #expect(
      repair.json.text()
        == #"{"findings":["# + document + #"],"failures":[{"kind":"damaged","#
        + #""sentence":"A file is missing.","reason":"The disk is full."}],"left":["# + document
        + "]}")
  }

  @Test func `The log of a job is a value, and a document`() throws {
    let id = try #require(UUID(uuidString: "4AB0E8E4-4A8C-4D0C-9C0B-51F0E7D5A5B9"))
    let log = JobLog(
      job: JobID(id),
      messages: [
        JobMessage(time: Date(timeIntervalSince1970: 0), severity: .warning, text: "It waits.")
      ])
    #expect(try comesBack(log))
    #expect(
      log.json.text()
        == #"{"job":"\#(log.job.text)","messages":[{"time":"1970-01-01T00:00:00Z","#
        + #""severity":"warning","text":"It waits."}]}"#)
  }

  @Test func `Where tiles are served is a value, and a document`() throws {
    let url = try #require(URL(string: "http://127.0.0.1:8000/"))
    let serving = TileServing(
      url: url,
      layers: [.init(name: "a", template: "t", tileJSON: url, wmts: url)])
    #expect(try comesBack(serving))
    #expect(
      serving.json.text()
        == #"{"url":"http://127.0.0.1:8000/","layers":[{"name":"a","xyz":"t","#
        + #""tilejson":"http://127.0.0.1:8000/","wmts":"http://127.0.0.1:8000/"}]}"#)
  }

  @Test func `A code that JavaScript cannot hold exactly is a text in the document of a form`() {
    let codes: [Int64] = [7, 9_007_199_254_740_991, 9_007_199_254_740_993]
    let domain = Domain.codedValue(
      CodedValueDomain(
        name: "Parcels", codedValues: codes.map { CodedValue(code: .integer($0), name: "\($0)") }))
    let field = FeatureFormField(
      Field("PARCEL", .bigInteger, domain: domain), value: .integer(-codes[2]), domain: domain,
      isTimeZoneUnknown: false, readOnlyReason: nil, problem: nil)
    let written = (field.json["choices"]?.array ?? []).compactMap { $0["code"] }
    #expect(written == [7, 9_007_199_254_740_991, "9007199254740993"])
    #expect(field.json["value"] == "-9007199254740993")
  }

  @Test func `A number that JavaScript cannot hold exactly is a text in the document of a popup`() {
    let fields = FieldList([
      Field("OBJECTID", .objectID), Field("PARCEL", .bigInteger), Field("OTHER", .bigInteger),
    ])
    let values: [AttributeValue] = [
      .integer(7), .integer(-9_007_199_254_740_993), .integer(9_007_199_254_740_991),
    ]
    let state = PopupsModel.State(
      pages: [.init(layerID: "a", layerTitle: "A", objectID: 7, title: "Seven")],
      selection: .init(
        index: 0, feature: Feature(objectID: 7, attributes: Attributes(fields, values)),
        popup: Popup(title: "Seven", elements: []), attachments: [], related: [], problems: []))
    let written = state.selectionJSON?["attributes"]
    #expect(written?["PARCEL"] == "-9007199254740993")
    #expect(written?["OTHER"] == 9_007_199_254_740_991)
  }
}
