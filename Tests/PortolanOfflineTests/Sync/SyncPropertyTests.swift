import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Random scripts of two copies and others who edit the service, with faults between any requests
/// and ends of the process at any of them.
///
/// `PORTOLAN_SYNC_SCRIPTS` says how many, 50 unless set, and `PORTOLAN_SYNC_SEED` with which to begin. Those
/// beyond the fiftieth differ more: others add and remove features as well, copies are synchronized as a
/// whole, and a third of them knows changes in JSON only.
@Suite(.temporaryDirectory) struct SyncPropertyTests {
  /// Numbers that follow from a seed.
  private struct Chance {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func number(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(limit, 1)))
    }
  }

  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private static let seeds: Range<Int> = {
    let first = number("PORTOLAN_SYNC_SEED", 1)
    return first..<first + max(1, number("PORTOLAN_SYNC_SCRIPTS", 50))
  }()

  private static let places = [
    "*/synchronizeReplica", "*/jobs/*", "*/replicafilescache/*", "*/uploads/upload",
    "*/FeatureServer",
  ]

  @Test(arguments: SyncPropertyTests.seeds)
  func `All have the same in the end, and no edit is lost or doubled`(_ seed: Int) async throws {
    let isWide = seed > 50
    let bed = try await SyncBed(
      in: temporaryDirectory, root: isWide && seed % 3 == 0 ? "server102" : "arcgis")
    let model: GenerateGeodatabaseParameters.SyncModel =
      isWide && seed % 2 == 0 ? .perGeodatabase : .perLayer
    let copies = [
      try await bed.copy("first", model: model), try await bed.copy("second", model: model),
    ]
    var chance = Chance(seed)
    var written: Set<String> = Set(try await bed.values().values)
    var added: Set<String> = []
    // The attachments that must arrive, by name, with the features that they belong to.
    var attached: [String: String] = [:]
    for step in 0..<12 {
      let copy = copies[chance.number(below: 2)]
      switch chance.number(below: isWide ? 10 : 8) {
      case 0:
        written.insert("\(seed)-\(step)")
        added.insert(try await copy.add("\(seed)-\(step)").uppercased())
      case 1, 2:
        let features = try await copy.features()
        written.insert("\(seed)-\(step)")
        try await copy.rename(
          features[chance.number(below: 4)].objectID, "\(seed)-\(step)")
      case 3:
        let feature = try await copy.features()[chance.number(below: 4)]
        let id = try #require(SyncCopy.text("GlobalID", feature))
        attached = attached.filter { $0.value != SyncCopy.plain(id) }
        try await copy.delete(feature.objectID)
      case 4: written.insert(try await editThere(bed, "\(seed)-\(step)", &chance))
      case 5:
        let feature = try await copy.features()[chance.number(below: 4)]
        let id = try #require(SyncCopy.text("GlobalID", feature))
        attached["\(seed)-\(step).txt"] = SyncCopy.plain(id)
        try await copy.attach("\(seed)-\(step).txt", to: feature.objectID)
      case 6: try await killDuringSync(copy, bed, &chance)
      case 8: written.insert(try await addThere(bed, "\(seed)-\(step)"))
      case 9:
        // Its attachments need not arrive any more.
        let id = try await removeThere(bed, &chance)
        attached = attached.filter { $0.value != id }
      default: await syncBadly(copy, bed, &chance)
      }
    }
    try await settle(copies, &chance)
    let values = try await bed.values()
    #expect(try await copies[0].values() == values)
    #expect(try await copies[1].values() == values)
    #expect(try await copies[0].attachments() == copies[1].attachments())
    #expect(Set(values.values).isSubset(of: written))
    let names = values.values.filter { $0.hasPrefix("\(seed)-") }
    #expect(Set(names).count == names.count, "an edit is doubled")
    // Scripts remove none of the features that they add.
    #expect(added.isSubset(of: Set(values.keys)), "an added feature is lost")
    for (name, id) in attached where values.keys.contains(where: { SyncCopy.plain($0) == id }) {
      let count = try await bed.attachments(of: "{\(id)}").count { $0 == name }
      #expect(count == 1, "\(name) is there \(count) times")
    }
  }

  /// Synchronizes, and lets the process end at one of its requests: what is in the file then is what
  /// the next process finds.
  private func killDuringSync(
    _ copy: SyncCopy, _ bed: SyncBed, _ chance: inout Chance
  ) async throws {
    let kill = KillingTransport(
      bed.transport, file: copy.file, after: chance.number(below: 12),
      isHeard: chance.number(below: 2) == 0)
    // It fails, unless it is over before that request.
    _ = try? await copy.sync(
      through: RESTClient(transport: kill, authenticator: AnonymousAuthenticator()))
    try kill.restore()
  }

  /// Others edit the service itself.
  private func editThere(
    _ bed: SyncBed, _ name: String, _ chance: inout Chance
  ) async throws -> String {
    let ids = try await bed.service.table(SyncBed.layer).objectIDs().sorted()
    let id = ids[chance.number(below: 4)]
    _ = try await bed.edit([
      "updates": "[{\"attributes\": {\"OBJECTID\": \(id), \"NAME\": \"\(name)\"}}]"
    ])
    return name
  }

  /// Others add a feature at the service.
  private func addThere(_ bed: SyncBed, _ name: String) async throws -> String {
    _ = try await bed.edit([
      "adds":
        "[{\"attributes\": {\"NAME\": \"\(name)\"}, \"geometry\": {\"x\": -7800000, \"y\": 5400000}}]"
    ])
    return name
  }

  /// Others remove one of the first features at the service.
  ///
  /// - Returns: Its global id.
  private func removeThere(_ bed: SyncBed, _ chance: inout Chance) async throws -> String {
    let table = try await bed.service.table(SyncBed.layer)
    let id = try await table.objectIDs().sorted()[chance.number(below: 4)]
    var globalID = ""
    for try await page in table.pages(matching: ServiceQueryParameters(objectIDs: [id])) {
      globalID = page.features.first.flatMap { SyncCopy.text("GlobalID", $0) } ?? globalID
    }
    _ = try await bed.edit(["deletes": "\(id)"])
    return SyncCopy.plain(globalID)
  }

  /// Synchronizes while something goes wrong, or not.
  private func syncBadly(_ copy: SyncCopy, _ bed: SyncBed, _ chance: inout Chance) async {
    let place = Self.places[chance.number(below: Self.places.count)]
    let kind: DemoFault.Kind = chance.number(below: 2) == 0 ? .drop : .cut(after: 1)
    if chance.number(below: 3) > 0 {
      await bed.state.add(
        DemoFault(kind, path: place, skip: chance.number(below: 3), count: 1))
    }
    // The script is about failures here.
    _ = try? await copy.sync()
    await bed.state.removeFaults()
  }

  /// Synchronizes and decides until there is nothing left to decide on.
  private func settle(_ copies: [SyncCopy], _ chance: inout Chance) async throws {
    for _ in 0..<8 {
      var isSettled = true
      for copy in copies {
        let result = try await copy.sync()
        for issue in result.issues {
          isSettled = false
          try await copy.resolve(issue, chance.number(below: 2) == 0 ? .mine : .theirs)
        }
        let edits = try await copy.edits()
        isSettled = isSettled && edits == 0 && result.sent == 0 && result.received == SyncReceipt()
      }
      if isSettled { return }
    }
    Issue.record("the copies do not come to rest")
  }
}
