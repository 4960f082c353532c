internal import Foundation
internal import PortolanGeodatabase
public import PortolanJobs

/// The results so far of a job that synchronizes a stored map; its checkpoint.
public struct OfflineMapSyncResult: Hashable, Sendable, Codable {
  /// The result for one layer or table of a geodatabase.
  public struct Layer: Hashable, Sendable, Codable {
    /// The name of the table.
    public var table: String
    /// What the map calls it; `nil` where it does not show it, and in a result of an earlier version.
    public var title: String?
    /// How many edits the service has received.
    public var sent = 0
    /// How many features and attachments were added here.
    public var added = 0
    /// How many features and attachments were changed here.
    public var updated = 0
    /// How many features and attachments were removed here.
    public var removed = 0
    /// How many edits the service refuses.
    public var rejected = 0
    /// How many edits contradict those of others.
    public var conflicts = 0
    /// How many features of others the file cannot hold.
    public var withheld = 0

    /// Creates the result of a table of which nothing was exchanged yet.
    public init(table: String) { self.table = table }
  }

  /// The result for one geodatabase of the map.
  public struct Part: Hashable, Sendable, Codable {
    /// The path of the file below the folder of the map.
    public var path: String
    /// The layers and tables in it.
    public var layers: [String]
    /// How many edits the service has received.
    public var sent = 0
    /// How many of them are edits of attachments; `nil` for none.
    public var sentAttachments: Int?
    /// How many features and attachments were added here.
    public var added = 0
    /// How many features and attachments were changed here.
    public var updated = 0
    /// How many features and attachments were removed here.
    public var removed = 0
    /// How many of what was received are attachments; `nil` for none.
    public var receivedAttachments: Int?
    /// How many edits wait for a decision.
    public var waiting = 0
    /// How many features of others the file cannot hold; `nil` for none.
    public var withheld: Int?
    /// How many edits stay here, since the map was taken offline without sending them; `nil` for none.
    public var staying: Int?
    /// Whether the service had forgotten the replica, so that it was registered again.
    public var isRegisteredAgain = false
    /// The results of the layers and tables; `nil` in a result of an earlier version.
    public var tables: [Layer]?
  }

  /// The geodatabases, in the order of their paths.
  public var parts: [Part] = []

  /// Creates the result of a job that has done nothing yet.
  public init() {}

  /// What a job has done; `nil` of another kind of job, or one that has done nothing yet.
  public init?(of job: Job) {
    guard job.isSync, let data = job.checkpoint,
      // A checkpoint of another version says nothing; what was exchanged is in the files.
      let result = try? JSONDecoder().decode(Self.self, from: data)
    else { return nil }
    self = result
  }

  /// How many edits services have received.
  public var sent: Int { parts.map(\.sent).reduce(0, +) }

  /// How many of them are edits of attachments.
  public var sentAttachments: Int { parts.compactMap(\.sentAttachments).reduce(0, +) }

  /// How many features and attachments were added here.
  public var added: Int { parts.map(\.added).reduce(0, +) }

  /// How many features and attachments were changed here.
  public var updated: Int { parts.map(\.updated).reduce(0, +) }

  /// How many features and attachments were removed here.
  public var removed: Int { parts.map(\.removed).reduce(0, +) }

  /// How many of what was added, changed or removed here are attachments.
  public var receivedAttachments: Int { parts.compactMap(\.receivedAttachments).reduce(0, +) }

  /// How many edits wait for a decision.
  public var waiting: Int { parts.map(\.waiting).reduce(0, +) }

  /// How many edits stay here, since the map was taken offline without sending them.
  public var staying: Int { parts.compactMap(\.staying).reduce(0, +) }

  /// How many features of others the files cannot hold.
  public var withheld: Int { parts.compactMap(\.withheld).reduce(0, +) }

  /// The results of the layers and tables, in the order of the geodatabases.
  public var layers: [Layer] { parts.flatMap { $0.tables ?? [] } }

  /// Whether a service had forgotten its replica, so that it was registered again.
  public var isRegisteredAgain: Bool { parts.contains(where: \.isRegisteredAgain) }

  /// Adds what a run has done with a geodatabase to what earlier runs have.
  mutating func add(
    _ result: GeodatabaseSyncTask.Result, path: String, layers: [String],
    titles: [String: String] = [:]
  ) {
    var part = parts.first { $0.path == path } ?? Part(path: path, layers: layers)
    part.sent += result.sent
    let attachments = result.sentEdits.attachments
    if attachments > 0 { part.sentAttachments = (part.sentAttachments ?? 0) + attachments }
    part.added += result.received.adds
    part.updated += result.received.updates
    part.removed += result.received.deletes
    let received = result.received.attachments
    if received > 0 { part.receivedAttachments = (part.receivedAttachments ?? 0) + received }
    part.waiting = result.waiting
    part.withheld = result.withheld == 0 ? nil : result.withheld
    part.staying = result.staying == 0 ? nil : result.staying
    part.isRegisteredAgain = part.isRegisteredAgain || result.isRegisteredAgain
    let tables = result.tables.sorted { $0.key < $1.key }.map { id, table in
      var layer = part.tables?.first { $0.table == table } ?? Layer(table: table)
      layer.title = titles[table] ?? layer.title
      layer.add(result, ofLayer: id)
      return layer
    }
    // Where the file could not be read any more they are unknown.
    if !tables.isEmpty || part.tables == nil { part.tables = tables }
    parts.removeAll { $0.path == path }
    parts.append(part)
    parts.sort { $0.path < $1.path }
  }
}

extension OfflineMapSyncResult.Layer {
  /// Adds what a run has done; what waits for a decision is what waits then.
  fileprivate mutating func add(_ result: GeodatabaseSyncTask.Result, ofLayer id: Int) {
    let received = result.received.layers[id] ?? SyncReceipt.Counts()
    sent += result.sentEdits.byLayer[id] ?? 0
    added += received.adds
    updated += received.updates
    removed += received.deletes
    let issues = result.issues.filter { $0.layerID == id }
    rejected = issues.count { $0.kind == .rejected }
    conflicts = issues.count { $0.kind == .conflict }
    withheld = issues.count { $0.kind == .unstorable }
  }
}

extension Job {
  /// Whether the job synchronizes a stored map, and downloads none.
  public var isSync: Bool { kind == OfflineJobKind.offlineMapSync.id }
}
