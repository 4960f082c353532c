import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Random scripts of a copy and others who edit features with their parts, and notes about them.
///
/// `PORTOLAN_RELATION_SCRIPTS` says how many, 40 unless set, and `PORTOLAN_RELATION_SEED` with which to begin.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30))) struct RelatedEditPropertyTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private static let seeds: Range<Int> = {
    let first = number("PORTOLAN_RELATION_SEED", 1)
    return first..<first + max(1, number("PORTOLAN_RELATION_SCRIPTS", 40))
  }()

  /// Numbers that follow from a seed.
  private struct Chance {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func number(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(limit, 1)))
    }

    mutating func one<Element>(of elements: [Element]) -> Element? {
      elements.isEmpty ? nil : elements[number(below: elements.count)]
    }
  }

  /// A script: a copy, its service, and what was done.
  private struct Script {
    let copy: SyncedSites
    var service = ModelService()
    var chance: Chance
    var steps: [String] = []
    /// Whether others write names that the copy cannot hold.
    let isLong: Bool
    private var number = 0

    init(_ seed: Int, in folder: URL) throws {
      copy = try SyncedSites(in: folder, makeID: SeededIDs(seed: UInt64(seed)).id)
      chance = Chance(seed)
      isLong = seed % 3 == 0
      service.leavesOutOwn = seed % 2 == 0
      service.deletesFirst = seed % 5 == 0
    }

    mutating func name() -> String {
      number += 1
      return "N\(number)"
    }

    // MARK: - Here

    func features(_ table: SyncedSites.Table) async throws -> [Feature] {
      try await copy.store.features(in: table.name, matching: QueryParameters()).collect()
        .sorted { $0.objectID < $1.objectID }
    }

    static func id(_ feature: Feature, _ field: String = "GlobalID") -> String? {
      if case .text(let id)? = feature.attributes[field] { id } else { nil }
    }

    static func parents(of table: SyncedSites.Table) -> SyncedSites.Table? {
      switch table {
      case .sites: nil
      case .surveys, .notes: .sites
      case .samples: .surveys
      }
    }

    mutating func editHere() async throws {
      let table = chance.one(of: SyncedSites.Table.allCases) ?? .sites
      let action = chance.number(below: 5)
      var parent: AttributeValue = .null
      if let origin = Self.parents(of: table), chance.number(below: 6) > 0 {
        let others = try await features(origin)
        parent = chance.one(of: others).flatMap { Self.id($0) }.map { .text($0) } ?? .null
      }
      let own = try await features(table)
      guard action > 0, let feature = chance.one(of: own) else {
        let name = name()
        steps.append("add \(table) \(name) of \(parent)")
        let values: [String: AttributeValue] = ["NAME": .text(name), "PARENT": parent]
        _ = try await copy.store.apply([.add(NewFeature(attributes: values), table: table.name)])
        return
      }
      let words = "\(table) \(Self.id(feature) ?? "?")"
      switch action {
      case 1, 2:
        steps.append("delete \(words)")
        _ = try await copy.store.apply([.delete(.objectID(feature.objectID), table: table.name)])
      case 3 where table != .sites:
        steps.append("move \(words) to \(parent)")
        _ = try await copy.store.apply([
          .update(
            .objectID(feature.objectID), table: table.name, attributes: ["PARENT": parent],
            geometry: .keep)
        ])
      default:
        let name = name()
        steps.append("rename \(words) \(name)")
        try await copy.rename(feature.objectID, in: table, name)
      }
    }

    // MARK: - There

    mutating func editThere() {
      let table = chance.one(of: SyncedSites.Table.allCases) ?? .sites
      let action = chance.number(below: 5)
      var parent: String?
      if let origin = Self.parents(of: table), chance.number(below: 6) > 0 {
        parent = chance.one(of: service.keys(of: origin))?.id
      }
      var name = name()
      if isLong, chance.number(below: 3) == 0 {
        name += String(repeating: "x", count: 41)
      }
      guard action > 0, let key = chance.one(of: service.keys(of: table)),
        let row = service.rows[key]
      else {
        let hex = String(format: "%012X", chance.number(below: 1 << 30))
        let key = ModelService.Key(table: table, id: "{44444444-0000-4000-8000-\(hex)}")
        steps.append("others add \(table) \(key.id) \(name.prefix(4)) of \(parent ?? "-")")
        return service.put(.init(name: name, parent: parent), at: key)
      }
      let words = "\(table) \(key.id)"
      switch action {
      case 1:
        steps.append("others delete \(words)")
        service.delete(key)
      case 2 where table != .sites:
        steps.append("others move \(words) to \(parent ?? "-")")
        service.put(.init(name: row.name, parent: parent), at: key)
      default:
        steps.append("others rename \(words) \(name.prefix(4))\(name.count > 40 ? "..." : "")")
        service.put(.init(name: name, parent: row.parent), at: key)
      }
    }

    // MARK: - Together

    mutating func receive() async throws -> SyncReceipt {
      let changes = service.changes()
      let receipt = try await copy.receive(changes)
      steps.append(
        "received \(receipt.adds)+ \(receipt.updates)~ \(receipt.deletes)- conflicts "
          + "\(receipt.conflicts) withheld \(receipt.withheld)")
      return receipt
    }

    /// Sends what is to be sent.
    ///
    /// - Returns: How many edits were carried out.
    mutating func send(refusing isRefusing: Bool) async throws -> Int {
      var (sent, count): (Set<SyncUpload.Edit>, Int) = ([], 0)
      while true {
        let size = chance.number(below: 4) + 1
        let upload = try await copy.store.makeUpload(
          within: SyncUpload.Limit(features: size, bytes: 1 << 20), besides: sent)
        guard !upload.isEmpty else { return count }
        try #require(count < 500)
        var chance = self.chance
        let results = service.carryOut(upload) { _ in
          isRefusing && chance.number(below: 6) == 0
        }
        self.chance = chance
        for (edit, result) in zip(upload.edits, results) where result.globalID == edit.globalID {
          steps.append(
            "sent \(edit.kind) \(edit.table) \(edit.globalID)\(result.isSuccess ? "" : " refused \(result.code)")"
          )
        }
        try await copy.store.finish(PendingUpload(upload), results: results)
        count += results.count
        guard upload.hasMore else { return count }
        sent.formUnion(upload.edits)
      }
    }

    mutating func decide(onAll: Bool) async throws {
      var tries = 0
      while let issue = try await chosen(onAll: onAll, tries) {
        tries += 1
        guard tries < 60 else { return }
        let resolution: SyncIssue.Resolution = chance.number(below: 2) == 0 ? .mine : .theirs
        do {
          try await copy.store.resolve(issue.id, as: resolution)
          steps.append(
            "\(resolution) for \(issue.kind) \(issue.table) \(issue.globalID) \(issue.edit)")
        } catch FeatureEditError.refused {
          steps.append("no \(resolution) for \(issue.kind) \(issue.table) \(issue.globalID)")
        } catch FeatureEditError.textTooLong {
          // Their version is one that the copy cannot hold.
          steps.append("no room for \(issue.kind) \(issue.table) \(issue.globalID)")
        }
        if !onAll { return }
      }
    }

    private mutating func chosen(onAll: Bool, _ tries: Int) async throws -> SyncIssue? {
      let issues = try await copy.store.syncIssues()
      let open = issues.filter { $0.kind != .unstorable || !onAll }
      return chance.one(of: open)
    }

    /// What both have, or what is different.
    func differences() async throws -> [String] {
      var there = service.rows
      var found: [String] = []
      for table in SyncedSites.Table.allCases {
        for feature in try await features(table) {
          guard let id = Self.id(feature) else { continue }
          let key = ModelService.Key(table: table, id: id)
          guard let row = there.removeValue(forKey: key) else {
            found.append("\(table) \(id) is here only")
            continue
          }
          let own = ModelService.Row(
            name: Self.id(feature, "NAME") ?? "", parent: Self.id(feature, "PARENT"))
          if own != row { found.append("\(table) \(id) is \(own) here, \(row) there") }
        }
      }
      return found + there.keys.sorted().map { "\($0.table) \($0.id) is there only" }
    }
  }

  @Test(arguments: RelatedEditPropertyTests.seeds)
  func `Both have the same in the end, whatever was edited and decided`(_ seed: Int) async throws {
    let folder = temporaryDirectory.appending(path: "\(seed)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var script = try Script(seed, in: folder)
    for _ in 0..<14 {
      switch script.chance.number(below: 8) {
      case 0, 1, 2: try await script.editHere()
      case 3, 4: script.editThere()
      case 5: _ = try await script.receive()
      case 6:
        _ = try await script.receive()
        _ = try await script.send(refusing: true)
      default: try await script.decide(onAll: false)
      }
    }
    for key in script.service.rows.keys.sorted() {
      guard let row = script.service.rows[key], row.name.count > 40 else { continue }
      script.service.put(.init(name: script.name(), parent: row.parent), at: key)
    }
    script.steps.append("settling")
    var isSettled = false
    for _ in 0..<12 where !isSettled {
      let receipt = try await script.receive()
      let sent = try await script.send(refusing: false)
      let isOpen = try await !script.copy.store.syncIssues().isEmpty
      try await script.decide(onAll: true)
      let hasEdits = try await !script.copy.changes().isEmpty
      isSettled = sent == 0 && !isOpen && !hasEdits && receipt == SyncReceipt()
    }
    let steps = script.steps.joined(separator: "\n")
    let (left, issues) = (try await script.copy.changes(), try await script.copy.store.syncIssues())
    #expect(isSettled, "\(steps)\n\(left)\n\(issues)")
    let differences = try await script.differences()
    #expect(differences.isEmpty, "\(steps)\n\(differences)")
    await script.copy.store.close()
    try FileManager.default.removeItem(at: folder)
  }
}
