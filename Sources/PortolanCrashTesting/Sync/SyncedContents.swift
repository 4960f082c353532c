internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanLibrary
internal import PortolanPortal

/// The features that everyone edits, as a home or the service has them.
struct SyncedContents: Equatable {
  /// The names of the features, by global id.
  var names: [String: String] = [:]
  /// The attachments of each, by name, with how many bytes they have.
  var files: [String: [String: Int]] = [:]

  /// How many features have a name.
  func count(of name: String) -> Int { names.values.count { $0 == name } }

  /// How many attachments have a name.
  func count(ofFile name: String) -> Int { files.values.count { $0[name] != nil } }

  /// Reads a geodatabase.
  static func read(_ store: some FeatureStore) async throws -> SyncedContents {
    var contents = SyncedContents()
    for try await feature in store.features(in: SharedEdits.table, matching: QueryParameters()) {
      let files = try await store.attachments(of: feature.objectID, in: SharedEdits.table)
      contents.add(feature, files)
    }
    return contents
  }

  /// Reads what a service has, as others see it.
  static func read(_ table: ServiceFeatureTable) async throws -> SyncedContents {
    var features: [Feature] = []
    for try await page in table.pages() { features += page.features }
    let files = try await table.attachments(of: features.map(\.objectID))
    var contents = SyncedContents()
    for feature in features { contents.add(feature, files[feature.objectID] ?? []) }
    return contents
  }

  private mutating func add(_ feature: Feature, _ files: [Attachment]) {
    guard case .text(let id)? = feature.attributes["GlobalID"] else { return }
    let key = Self.key(id)
    names[key] = SharedEdits.text(feature)
    guard !files.isEmpty else { return }
    self.files[key] = Dictionary(files.map { ($0.name, $0.size) }, uniquingKeysWith: +)
  }

  /// A global id, however it is written.
  static func key(_ id: String) -> String { id.uppercased().filter { !"{}".contains($0) } }

  /// The features that are among others.
  func only(_ ids: some Collection<String>) -> SyncedContents {
    let wanted = Set(ids)
    var contents = self
    contents.names = names.filter { wanted.contains($0.key) }
    contents.files = files.filter { wanted.contains($0.key) }
    return contents
  }

  /// How it differs from another; `nil` if it does not.
  func difference(from other: SyncedContents) -> String? {
    for id in Set(names.keys).union(other.names.keys).sorted() {
      let (mine, theirs) = (names[id], other.names[id])
      guard mine == theirs else { return "\(id) is \(mine ?? "absent"), not \(theirs ?? "absent")" }
      let (files, others) = (files[id] ?? [:], other.files[id] ?? [:])
      guard files == others else { return "\(id) has the files \(files), not \(others)" }
    }
    return nil
  }
}

/// A home that is synchronized, and what was done in it.
struct SyncedHome {
  let layout: HomeLayout
  let map: String
  /// The groups of edits that were applied, by the word of the child that did so.
  var done: Set<Int> = []
  /// The groups of edits that were begun.
  var begun: Set<Int> = []

  var editor: SharedEdits { SharedEdits(home: layout.home.lastPathComponent) }

  /// The number of the next group of edits.
  var next: Int { (begun.max() ?? -1) + 1 }

  mutating func add(_ ending: ChildEnding) {
    done.formUnion(ending.doneEdits)
    begun.formUnion(ending.begunEdits)
  }

  /// The number of the version of the map that is used; 0 if it is not there.
  func version() async throws -> Int {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    return try await storage.storedMaps().first { $0.id.text == map }?.version ?? 0
  }

  /// Whether an update has left the version before.
  func hasEarlierVersion() async throws -> Bool {
    guard let id = MapID(map) else { return false }
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    return try await storage.versions(of: id).count > 1
  }

  /// The geodatabase of the version that is used.
  private func geodatabase() async throws -> URL {
    try MapOpening.geodatabase(
      in: layout.folder(.maps).appending(path: "\(map)/\(try await version())"))
  }

  /// What is in a home.
  struct Finding {
    let contents: SyncedContents
    /// How many edits wait to be sent or to be decided on.
    let edits: Int
    /// How many could not be exchanged.
    let issues: Int
    /// How many edits need no decision.
    let unsentEdits: Int
  }

  /// What it has, and how many edits wait to be sent or to be decided on.
  func look() async throws -> Finding {
    let store = try EditableGeodatabase.open(
      at: try await geodatabase(), now: { Date() }, makeID: { UUID() })
    do {
      let contents = try await SyncedContents.read(store)
      let edits = try await store.localChanges().changes
      let issues = try await store.syncIssues()
      await store.close()
      let held = Set(issues.map { SyncedContents.key($0.globalID) })
      let unsent = edits.count { !held.contains(SyncedContents.key($0.globalID ?? "")) }
      return Finding(
        contents: contents, edits: edits.count, issues: issues.count, unsentEdits: unsent)
    } catch {
      await store.close()
      throw error
    }
  }

  /// The address of the service.
  func service() async throws -> URL {
    let store = try EditableGeodatabase.open(
      at: try await geodatabase(), now: { Date() }, makeID: { UUID() })
    let state = try await store.syncState()
    await store.close()
    guard let url = state.flatMap({ URL(string: $0.serviceURL) }) else {
      throw CrashTestError.noArea
    }
    return url
  }
}
