import Foundation
import PortolanGeometry
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import Testing

@testable import PortolanApp

/// The stored maps, the downloads and the offers, in one list.
@Suite struct MapListTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)
  private static let failure = JobFailure(message: "It failed.", kind: .absent)

  private func stored(_ id: String, webMap: String? = "map", modified: Date? = day) -> StoredMap {
    StoredMap(
      id: MapID(id) ?? MapID(UUID()),
      origin: webMap.map { .preplannedArea(webMap: $0, area: id) } ?? .portalItem(id),
      form: .folder, title: "Stored \(id)", installed: Self.day, sourceModified: modified,
      byteCount: 7)
  }

  private func area(
    _ id: String, _ status: KnownArea.Status = .complete, modified: Date? = day
  ) -> KnownArea {
    KnownArea(
      id: id, webMap: "map", title: "Area \(id)", status: status, byteCount: 5,
      modified: modified, seen: Self.day)
  }

  private func job(_ subject: String, _ state: JobState, created: Date = day) -> Job {
    var job = Job(
      id: JobID(UUID()), kind: OfflineJobKind.preplannedArea.id, subject: subject,
      title: "Job \(subject)",
      parameters: Data(), created: created, position: 1)
    job.state = state
    return job
  }

  private func list(
    stored: [StoredMap] = [], areas: [KnownArea]? = nil, jobs: [Job] = [], isOnline: Bool = true
  ) -> MapList {
    var list = MapList()
    list.stored = stored
    let portal = URL(filePath: "/")
    list.offers =
      areas.map { areas in
        let map = KnownMap(id: "map", portal: portal, title: "The map", seen: Self.day)
        return [MapList.Offer(map: map, areas: areas)]
      } ?? []
    list.jobs = jobs
    list.isOnline = isOnline
    return list
  }

  @Test func `A web map comes with its areas below it, then other maps`() {
    let items = list(
      stored: [stored("b"), stored("x", webMap: nil), stored("gone")],
      areas: [area("a"), area("b")], jobs: [job("y", .running)]
    ).items
    #expect(items.map(\.id) == ["map", "a", "b", "gone", "x", "y"])
    #expect(items.map(\.kind) == [.webMap, .area, .area, .area, .package, .area])
  }

  @Test func `An area that was drawn is listed with its web map, on its way and stored`() throws {
    var parameters = GenerateOfflineMapParameters(
      portal: URL(filePath: "/"), webMap: "map", mapID: "drawn",
      areaOfInterest: OfflineArea(Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1), .wgs84),
      itemInfo: OfflineMapItemInfo(title: "Island"))
    parameters.updateMode = .noUpdates
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters), title: "Island")
    var job = Job(
      id: JobID(UUID()), kind: order.kind, subject: order.subject, title: order.title,
      parameters: order.parameters, created: Self.day, position: 1)
    job.state = .running
    let other = stored("x", webMap: nil)
    let items = list(stored: [other], areas: [area("a")], jobs: [job]).items
    #expect(items.map(\.id) == ["map", "a", "drawn", "x"])
    #expect(items[2].kind == .area && items[2].webMap == "map" && items[2].title == "Island")
    job.state = .failed(Self.failure)
    let failed = try #require(list(areas: [area("a")], jobs: [job]).items.last)
    #expect(failed.canResume && !failed.canDownload)
    let map = StoredMap(
      id: try #require(MapID("drawn")), origin: .onDemandArea(webMap: "map"), form: .folder,
      title: "Island", installed: Self.day, byteCount: 7)
    let row = try #require(list(stored: [map], areas: [area("a")]).items.last)
    // No portal has it, so that there is nothing to download anew.
    #expect(row.id == "drawn" && row.webMap == "map" && row.canOpen && !row.canDownload)
  }

  @Test func `A stored area takes the row of the one that could be had`() throws {
    let items = list(stored: [stored("a")], areas: [area("a")]).items
    #expect(items.map(\.id) == ["map", "a"])
    let copy = try #require(items.last?.copy)
    #expect(!copy.hasUpdate && copy.transfer == nil)
    #expect(items.last?.byteCount == 7)
  }

  @Test func `An area that the portal has changed since has an update`() {
    let later = Self.day.addingTimeInterval(1)
    let items = list(stored: [stored("a")], areas: [area("a", modified: later)]).items
    #expect(items.last?.copy?.hasUpdate == true)
  }

  @Test func `Without a network there is what is stored and what is on its way`() {
    let items = list(
      stored: [stored("a"), stored("x", webMap: nil)],
      areas: [area("a"), area("b"), area("c", .failed)],
      jobs: [job("b", .waiting(.network))], isOnline: false
    ).items
    #expect(items.map(\.id) == ["a", "b", "x"])
  }

  @Test func `Without a network a web map stays that was browsed`() {
    var list = list(stored: [stored("a")], areas: [area("a"), area("b")], isOnline: false)
    list.keptMaps = ["map"]
    #expect(list.items.map(\.id) == ["map", "a"])
    #expect(list.items.first?.canOpen == true)
  }

  @Test func `The running job counts, whatever the outcome of earlier ones`() {
    let later = Self.day.addingTimeInterval(1)
    let items = list(
      areas: [area("a")],
      jobs: [job("a", .running), job("a", .failed(Self.failure), created: later)]
    ).items
    #expect(items.last?.transfer?.state == .running)
    let last = list(
      areas: [area("a")],
      jobs: [
        job("a", .failed(Self.failure)), job("a", .failed(Self.failure), created: later),
        job("a", .succeeded, created: later),
      ]
    ).items
    #expect(last.last?.transfer?.state == .failed(Self.failure))
  }

  @Test func `A failed update leaves the map that is stored`() {
    let items = list(
      stored: [stored("a")], areas: [area("a")], jobs: [job("a", .failed(Self.failure))]
    ).items
    #expect(items.last?.canOpenOffline == true)
    #expect(items.last?.transfer?.state == .failed(Self.failure))
    #expect(items.last?.canDownload == true)
  }

  @Test(arguments: [JobState.running, .paused, .waiting(.network), .cancelling, .succeeded])
  func `Taking over how far a download is gives the row that there would be`(
    _ later: JobState
  ) throws {
    for stored in [[], [stored("a")]] {
      let before = job("a", .running)
      var after = before
      after.state = later
      after.progress.bytes = 7
      let rows = [before, after].map { job in
        list(stored: stored, areas: [area("a")], jobs: [job]).items.last
      }
      var row = try #require(rows[0])
      let isAll = row.advance(to: MapTransfer(after))
      #expect(isAll == !later.isFinal)
      #expect(row == rows[isAll ? 1 : 0])
    }
  }

  // MARK: - What may be done

  /// The actions that a state permits.
  struct Permissions: OptionSet, Hashable, Sendable {
    let rawValue: Int
    static let open = Self(rawValue: 1)
    static let download = Self(rawValue: 2)
    static let delete = Self(rawValue: 4)
    static let pause = Self(rawValue: 8)
    static let resume = Self(rawValue: 16)
    static let cancel = Self(rawValue: 32)
    static let settle = Self(rawValue: 64)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ item: MapListItem) {
      let all: [(Self, Bool)] = [
        (.open, item.canOpen), (.download, item.canDownload), (.delete, item.canDelete),
        (.pause, item.canPause), (.resume, item.canResume), (.cancel, item.canCancel),
        (.settle, item.canSettleFailures),
      ]
      self = all.filter(\.1).reduce(into: []) { $0.formUnion($1.0) }
    }
  }

  private static func transfer(_ state: JobState) -> MapTransfer {
    var job = Job(
      id: JobID(UUID()), kind: "", subject: "", title: "", parameters: Data(), created: day,
      position: 0)
    job.state = state
    return MapTransfer(job)
  }

  private static func stored(_ state: JobState?, isOpen: Bool = false) -> MapListItem.State {
    .stored(StoredCopy(installed: day, isOpen: isOpen, transfer: state.map(transfer)))
  }

  static let table: [(MapListItem.State, Permissions)] = [
    (.online, .open),
    (.available, .download),
    (.packaging, []),
    (.packagingFailed, []),
    (.transferring(transfer(.waiting(.slot(ahead: 1)))), [.pause, .cancel]),
    (.transferring(transfer(.waiting(.network))), [.pause, .resume, .cancel]),
    (.transferring(transfer(.running)), [.pause, .cancel]),
    (.transferring(transfer(.paused)), [.resume, .cancel]),
    (.transferring(transfer(.cancelling)), []),
    (.failed(transfer(.failed(failure)), failure), [.download, .resume, .cancel]),
    (
      .failed(
        transfer(.failed(JobFailure(message: "", kind: .refused))),
        JobFailure(message: "", kind: .refused)), [.download, .resume, .cancel]
    ),
    (stored(nil), [.open, .download, .delete]),
    (stored(nil, isOpen: true), [.open, .download]),
    (stored(.running), [.open, .delete, .pause, .cancel]),
    (stored(.succeededInPart), [.open, .download, .delete, .cancel, .settle]),
    (stored(.failed(failure)), [.open, .download, .delete, .resume, .cancel]),
  ]

  @Test(arguments: table) func `The allowed actions follow from the state`(
    state: MapListItem.State, expected: Permissions
  ) {
    let item = MapListItem(id: "a", kind: .area, title: "A", state: state)
    #expect(Permissions(item) == expected)
  }
}
