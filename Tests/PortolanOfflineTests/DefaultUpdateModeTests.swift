import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The update mode of an area that nobody has chosen a mode for.
@Suite(.temporaryDirectory) struct DefaultUpdateModeTests {
  typealias Mode = DownloadPreplannedOfflineMapParameters.UpdateMode

  private func job(_ parameters: Data) throws -> Job {
    Job(
      id: try #require(JobID("job-1")), kind: OfflineJobKind.preplannedArea.id,
      subject: AreaPortal.area, title: "Coast", parameters: parameters, created: OfflineBed.day,
      position: 0)
  }

  /// A job as the queue keeps it.
  private func job(_ mode: Mode?, _ bed: OfflineBed) throws -> Job {
    var parameters = try bed.area
    parameters.updateMode = mode
    return try job(OfflineJobOrder(parameters, title: "Coast").parameters)
  }

  /// The modes that the current version of the map states, and what is recorded of it.
  private func modes(_ bed: OfflineBed) async throws -> Set<String> {
    let map = try #require(await bed.storage.storedMaps().first)
    let file = bed.layout.place(of: map).appending(path: "p13/mobile_map.marea")
    let packages = try JSONValue(parsing: Data(contentsOf: file))["packages"]?.array ?? []
    let stated = packages.compactMap { $0["preplannedUpdateMode"]?.string }
    return Set(stated + [map.options?.updateMode ?? "nothing"])
  }

  private func answer(_ bed: OfflineBed, schedule: String?, keyword: String = "Syncable") {
    let properties = schedule.map { #", "packageRefreshSchedule": "\#($0)""# } ?? ""
    let area = """
      {"id": "\(AreaPortal.area)", "type": "Map Area", "title": "Coast", "modified": 1700000000000,
       "properties": {"status": "complete"\(properties)}}
      """
    let package = """
      {"id": "\(AreaPortal.features)", "type": "SQLite Geodatabase", "title": "Features",
       "size": 13, "modified": 1, "typeKeywords": ["Replica", "\(keyword)"],
       "properties": {"url": "http://Server.example/services/Parks/FeatureServer"}}
      """
    bed.server.answer(path: "/content/items/\(AreaPortal.area)", with: [.json(area)])
    bed.server.answer(
      path: "/content/items/\(AreaPortal.area)/relatedItems",
      with: [.json(#"{"relatedItems": [\#(package)]}"#)])
  }

  private static let areas: [(String?, String, String)] = [
    ("0 0 3 ? * MON", "Syncable", "downloadScheduledUpdates"),
    (nil, "Syncable", "syncWithFeatureServices"), (nil, "Offline", "noUpdates"),
  ]

  @Test(arguments: areas)
  func `The author of an area decides where nobody else does, by the requests of any download`(
    _ schedule: String?, _ keyword: String, _ mode: String
  ) async throws {
    let chosen = try OfflineBed(in: temporaryDirectory.appending(path: "chosen"))
    answer(chosen, schedule: schedule, keyword: keyword)
    _ = try await chosen.run(job(.noUpdates, chosen)).get()
    #expect(try await modes(chosen) == ["noUpdates"])

    let bed = try OfflineBed(in: temporaryDirectory.appending(path: "default"))
    answer(bed, schedule: schedule, keyword: keyword)
    _ = try await bed.run(job(nil, bed)).get()
    #expect(try await modes(bed) == [mode])
    #expect(bed.server.requests.sorted() == chosen.server.requests.sorted())
  }

  @Test func `A job that an older Portolan has planned keeps its mode`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let planned = """
      {"area": "\(AreaPortal.area)", "continuesOnErrors": true, "includesBasemap": true,
       "portal": "https://portal.example", "updateMode": "noUpdates", "webMap": "\(AreaPortal.webMap)"}
      """
    _ = try await bed.run(job(Data(planned.utf8))).get()
    #expect(try await modes(bed) == ["noUpdates"])
  }

  @Test(arguments: [false, true])
  func `A mode that nobody chose is as the author says when the rest arrives`(
    _ isScheduledFirst: Bool
  ) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let gone = #"{"error": {"code": 404, "message": "Not found", "details": []}}"#
    bed.server.answer(data: AreaPortal.tiles, with: [.json(gone)])
    let job = try job(nil, bed)
    for isScheduled in [isScheduledFirst, !isScheduledFirst] {
      let schedule = isScheduled ? #", "packageRefreshSchedule": "0 0 3 ? * MON""# : ""
      let area = """
        {"id": "\(AreaPortal.area)", "type": "Map Area", "title": "Coast", "modified": 1700000000000,
         "properties": {"status": "complete"\(schedule)}}
        """
      bed.server.answer(path: "/content/items/\(AreaPortal.area)", with: [.json(area)])
      _ = try await bed.run(job).get()
      let isFirst = isScheduled == isScheduledFirst
      #expect(
        try await modes(bed) == [
          isFirst && isScheduled ? "downloadScheduledUpdates" : "syncWithFeatureServices"
        ])
    }
    #expect(await bed.storage.storedMaps().first?.omissions == [])
  }

  @Test
  func
    `A geodatabase that is not set up for it is not synchronized either where the others are missing`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    func package(_ id: String, _ keyword: String) -> String {
      """
      {"id": "\(id)", "type": "SQLite Geodatabase", "title": "\(keyword)", "size": 13, "modified": 1,
       "typeKeywords": ["Replica", "\(keyword)"]}
      """
    }
    let packages = [package(AreaPortal.features, "Offline"), package(AreaPortal.tiles, "Syncable")]
    answer(bed, schedule: nil)
    bed.server.answer(
      path: "/content/items/\(AreaPortal.area)/relatedItems",
      with: [.json(#"{"relatedItems": [\#(packages.joined(separator: ","))]}"#)])
    let gone = #"{"error": {"code": 404, "message": "Not found", "details": []}}"#
    bed.server.answer(data: AreaPortal.tiles, with: [.json(gone)])
    _ = try await bed.run(job(nil, bed)).get()
    // The second is how the area as a whole is kept.
    #expect(try await modes(bed) == ["noUpdates", "syncWithFeatureServices"])
  }

  @Test(arguments: Mode.allCases)
  func `The log of a download says what becomes of edits`(_ mode: Mode) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let said = Locked<[String]>([])
    let reporter = JobReporter(
      progress: { _ in }, message: { text, _ in said.withLock { $0.append(text) } },
      checkpoint: { _ in })
    _ = try await OfflineJobRunner(bed.environment).run(job(mode, bed), reporter: reporter)
    let line = said.withLock { $0.first { $0.hasPrefix("Update mode \(mode.rawValue): ") } }
    #expect(line?.contains("stay on this device") == (mode != .syncWithFeatureServices))
  }
}
