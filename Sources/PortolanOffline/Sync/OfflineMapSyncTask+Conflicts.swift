internal import Foundation
public import PortolanFeatures
internal import PortolanFiles
public import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
public import PortolanLibrary

extension OfflineMapSyncTask {
  /// An edit that could not be exchanged, and what both sides have.
  public struct Conflict: Hashable, Sendable, Identifiable {
    /// Its number, which stays the same while others are resolved.
    public var id: Int
    /// The path of the file below the folder of the map.
    public var path: String
    /// What is in the way.
    public var issue: SyncIssue
    /// The fields of the table.
    public var fields: [Field]
    /// The feature as it is here; `nil` if it was removed.
    public var mine: Feature?
    /// The feature as the service has it; `nil` if it was deleted there, or as it was.
    ///
    /// Of an edit that the service has refused it is the feature as it was synchronized last.
    public var theirs: Feature?
    /// The names of the fields whose values were changed here, where others have changed the feature too;
    /// `nil` where that is not known.
    public var fieldsChangedHere: Set<String>?
    /// Whether the shape was changed here, where others have changed the feature too; `nil` where that is not
    /// known.
    public var isShapeChangedHere: Bool?
    /// Whether the next synchronization sends it once it is decided that it holds: areas that only receive
    /// scheduled updates keep it.
    public var isSent = true
    /// What the table holds; `nil` where it is gone.
    public var schema: FeatureTableSchema?
    /// What the map calls the table: the title of the first layer that shows it; `nil` where none does.
    public var layerTitle: String?
    /// The edits that a decision settles, those of related records and of attachments included; `nil` where
    /// none can be made.
    public var edits: SettledEdits?
    /// What the map calls the tables of those edits, by their names.
    public var layerTitles: [String: String] = [:]
    /// The names of the attachments that it is about, as far as they are known.
    public var attachmentNames: [String] = []
  }

  /// The number of a conflict among those of all files: no two have the same, however many a file has had, and
  /// people can type it.
  static func number(of issue: SyncIssue.ID, inFile index: Int, of count: Int) -> Int {
    // The files have one number each in turn. One that others have made may say any number.
    (Int(issue) &- 1) &* count &+ index &+ 1
  }

  /// The edits of a map that could not be exchanged, in the order of its files; also of one that can only
  /// be read.
  ///
  /// - Throws: `LibraryError` if the map cannot be opened, or what keeps a geodatabase from being read.
  @concurrent public func conflicts(of map: MapID) async throws -> [Conflict] {
    let lease = try await library.open(map)
    let modes = PreplannedModes(of: lease.url)
    var files: [[Conflict]] = []
    let paths = try Self.geodatabases(in: lease.url)
    let copies = try await copies(of: lease, paths)
    defer { withExtendedLifetime(copies) {} }
    for path in paths {
      let file = Self.file(path, of: lease, copies)
      let own = try await Self.using(file, surroundings) { store -> [Conflict]? in
        let state = try await store.syncState()
        let isRegistered = state?.isRegistered ?? false
        let conflicts = try await self.conflicts(in: store, path, of: lease.url)
          .map { conflict in
            var conflict = conflict
            conflict.isSent = isRegistered || modes.sends(conflict.issue, of: path)
            return conflict
          }
        // One that comes from no service has none, and takes no numbers from the others.
        return state == nil && conflicts.isEmpty ? nil : conflicts
      }
      if let own { files.append(own) }
    }
    return files.enumerated().flatMap { index, conflicts in
      conflicts.map { conflict in
        var conflict = conflict
        conflict.id = Self.number(of: conflict.issue.id, inFile: index, of: files.count)
        return conflict
      }
    }
  }

  /// Copies of the geodatabases of a map where they may not be written, since they are opened to be edited
  /// even if they are only looked at; `nil` where they may.
  private func copies(
    of lease: MapLease, _ paths: [String]
  ) async throws -> PrivateFolder? {
    let isWritable = paths.allSatisfy { path in
      let file = lease.url.appending(path: path)
      return WritePermission.isGranted(forFile: file)
        && WritePermission.isGranted(forFolder: file.deletingLastPathComponent())
    }
    guard !isWritable else { return nil }
    let folder = try PrivateFolder(in: FileManager.default.temporaryDirectory)
    _ = try await library.copyDatabases(of: lease.map, to: folder.url)
    return folder
  }

  /// A geodatabase of a map, or its copy if there is one: what a link leads to is not copied.
  private static func file(_ path: String, of lease: MapLease, _ copies: PrivateFolder?) -> URL {
    if let copy = copies?.url.appending(path: path), FileSystem.live.exists(copy) { return copy }
    return lease.url.appending(path: path)
  }

  /// Resolves an edit that could not be exchanged; the next synchronization sends what is to be sent.
  ///
  /// - Throws: `LibraryError` if the map cannot be opened or is being edited, `FeatureEditError` if the file
  ///   cannot be written, or edits were made since that would be settled unseen; all is as it was then.
  @concurrent public func resolve(
    _ conflict: Conflict, of map: MapID, as resolution: SyncIssue.Resolution
  ) async throws {
    try await editing(conflict, of: map) { store in
      try await store.resolve(conflict.issue.id, as: resolution, ifStill: conflict.edits)
    }
  }

  /// Changes the feature of an edit that could not be exchanged, and sends it as it then is.
  ///
  /// - Throws: `FeatureEditError` if the feature was removed here, a value cannot be stored, or the conflict
  ///   was changed or resolved meanwhile; all is as it was then.
  @concurrent public func resolve(
    _ conflict: Conflict, of map: MapID, changing attributes: [String: AttributeValue]
  ) async throws {
    try await editing(conflict, of: map) { store in
      try await store.resolve(
        conflict.issue.id, changing: attributes, ifStill: conflict.edits)
    }
  }

  private func editing(
    _ conflict: Conflict, of map: MapID, _ body: (EditableGeodatabase) async throws -> Void
  ) async throws {
    let lease = try await library.open(map)
    try await library.beginEditing(lease)
    defer { lease.endEditing() }
    try await Self.using(lease.url.appending(path: conflict.path), surroundings, body)
  }

  private func conflicts(
    in store: EditableGeodatabase, _ path: String, of package: URL
  ) async throws -> [Conflict] {
    let issues = try await store.syncIssuesToDecide()
    guard !issues.isEmpty else { return [] }
    let schemas = try await store.schemas()
    let titles = await LayerTitles(of: package, now: surroundings.now())
    let layerTitle = { (schema: FeatureTableSchema?) in
      titles[schema?.serviceLayerID, path, isOnly: schemas.count == 1]
    }
    var conflicts: [Conflict] = []
    for (issue, edits) in issues {
      let schema = schemas.first { $0.name == issue.table }
      let fields = schema?.fields ?? []
      let mine = try await Self.mine(issue, store)
      var layerTitles: [String: String] = [:]
      for table in Set((edits?.edits ?? []).map(\.change.table)) {
        layerTitles[table] = layerTitle(schemas.first { $0.name == table })
      }
      conflicts.append(
        Conflict(
          id: Int(issue.id), path: path, issue: issue, fields: fields, mine: mine,
          theirs: try await Self.theirs(issue, fields, store),
          fieldsChangedHere: mine.flatMap {
            Self.fieldsChanged(in: $0, since: issue.before, fields)
          },
          isShapeChangedHere: mine.flatMap {
            Self.isShapeChanged(in: $0, since: issue.before, schema)
          },
          schema: schema,
          layerTitle: layerTitle(schema), edits: edits, layerTitles: layerTitles,
          attachmentNames: try await store.attachmentNames(of: issue)))
    }
    return conflicts
  }

  /// The feature as it is here, without its shape if that cannot be read; `nil` if it was removed.
  private static func mine(
    _ issue: SyncIssue, _ store: EditableGeodatabase
  ) async throws(FeatureStoreError) -> Feature? {
    var query = QueryParameters(objectIDs: [issue.objectID])
    do throws(FeatureStoreError) {
      return try await store.features(in: issue.table, matching: query).collect().first
    } catch {
      guard case .unreadableRow = error else { throw error }
      query.returnsGeometry = false
      return try await store.features(in: issue.table, matching: query).collect().first
    }
  }

  /// The names of the fields whose values are others than they were.
  private static func fieldsChanged(
    in feature: Feature, since before: JSONText?, _ fields: [Field]
  ) -> Set<String>? {
    guard let before else { return nil }
    let list = FieldList(fields)
    let old = Attributes(esriJSON: before.json["attributes"], fields: list)
    let own = Attributes(esriJSON: JSONText(feature.attributes.esriJSON).json, fields: list)
    return Set(fields.map(\.name).filter { own[$0] ?? .null != old[$0] ?? .null })
  }

  /// Whether the shape is another one than it was; both as documents, so that it does not count as changed
  /// by being written and read.
  private static func isShapeChanged(
    in feature: Feature, since before: JSONText?, _ schema: FeatureTableSchema?
  ) -> Bool? {
    guard let before, let schema else { return nil }
    let own = feature.geometry.map {
      JSONText($0.esriJSON(spatialReference: schema.spatialReference)).json
    }
    return own != before.json["geometry"]
  }

  private static func theirs(
    _ issue: SyncIssue, _ fields: [Field], _ store: EditableGeodatabase
  ) async throws -> Feature? {
    if let withheld = issue.withheld { return withheld }
    if issue.kind == .rejected {
      return try await store.synchronizedFeature(issue.objectID, in: issue.table)
    }
    guard let json = issue.theirs?.json else { return nil }
    let shape = json["geometry"].flatMap { $0.isNull ? nil : $0 }
    return Feature(
      objectID: issue.objectID,
      attributes: Attributes(esriJSON: json["attributes"], fields: FieldList(fields)),
      geometry: try shape.map { try Geometry(esriJSON: $0) })
  }
}
