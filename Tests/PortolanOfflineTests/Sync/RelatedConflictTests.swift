import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The outcome of related rows where one replica deletes their parents, and another changes them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct RelatedConflictTests {
  private static let (layer, table) = (6, "LighthouseEvents")

  /// Something that happened at a lighthouse.
  private struct Event: Hashable {
    let id: String
    let lighthouse: String?
    let text: String?

    init(_ feature: Feature) throws {
      id = SyncCopy.plain(try #require(SyncCopy.text("GlobalID", feature)))
      lighthouse = SyncCopy.text("LIGHTHOUSE_ID", feature).map(SyncCopy.plain)
      text = SyncCopy.text("EVENT", feature)
    }
  }

  private func rows(_ copy: SyncCopy) async throws -> [Feature] {
    try await Geodatabase.open(at: copy.file)
      .features(in: Self.table, matching: QueryParameters()).collect()
  }

  private func events(_ copy: SyncCopy) async throws -> Set<Event> {
    Set(try await rows(copy).map { try Event($0) })
  }

  /// The events that the service has.
  private func events(_ bed: SyncBed) async throws -> Set<Event> {
    let table = try await bed.service.table(Self.layer)
    var events: Set<Event> = []
    for try await page in table.pages() {
      for feature in page.features { events.insert(try Event(feature)) }
    }
    return events
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func
    `A deletion waits for the rows that it has emptied, and the copies agree once that is decided`(
      _ resolution: SyncIssue.Resolution
    ) async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let layers = [SyncBed.layer, Self.layer]
    let (first, second) = (
      try await bed.copy("first", layers: layers), try await bed.copy("second", layers: layers)
    )
    let byLighthouse = Dictionary(grouping: try await events(first), by: \.lighthouse)
    let own = try #require(byLighthouse.values.max { $0.count < $1.count })
      .sorted { $0.id < $1.id }
    try #require(own.count > 1)
    let (contested, lighthouse) = (own[0].id, try #require(own[0].lighthouse))
    let light = try #require(
      try await first.features().first {
        SyncCopy.text("GlobalID", $0).map(SyncCopy.plain) == lighthouse
      })
    try await first.delete(light.objectID)
    let row = try #require(
      try await rows(second).first {
        SyncCopy.text("GlobalID", $0).map(SyncCopy.plain) == contested
      })
    try await second.edit(
      .update(
        .objectID(row.objectID), table: Self.table, attributes: ["EVENT": .text("Theirs")],
        geometry: .keep))
    #expect(try await second.sync().sent == 1)

    let waiting = try await first.sync()
    #expect(waiting.sent == 0 && waiting.issues.map(\.kind) == [.conflict])
    #expect(try await first.edits() == own.count + 1)
    try await first.resolve(try #require(waiting.issues.first), resolution)
    #expect(try await first.sync().sent == (resolution == .mine ? own.count + 1 : 0))
    _ = try await second.sync()

    #expect(try await first.edits() == 0)
    #expect(try await first.issues().isEmpty)
    let left = try await events(first)
    #expect(try await events(second) == left)
    #expect(try await events(bed) == left)
    let values = try await bed.values()
    #expect(try await first.values() == values)
    #expect(try await second.values() == values)
    let ids = Set(own.map(\.id))
    let related = left.filter { ids.contains($0.id) }
    #expect(related.first { $0.id == contested }?.text == "Theirs")
    #expect(related.count { $0.lighthouse == lighthouse } == (resolution == .mine ? 0 : own.count))
  }
}
