import Foundation
import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanGeodatabase

/// A copy of a service with sites, surveys that are parts of a site, samples that are parts of a survey,
/// and notes that merely mention a site.
struct SyncedSites {
  enum Table: Int, CaseIterable {
    case sites, surveys, samples, notes

    var name: String { ["Sites", "Surveys", "Samples", "Notes"][rawValue] }
  }

  static let moment = Date(timeIntervalSince1970: 1_700_000_000)

  let url: URL
  let store: EditableGeodatabase

  init(
    in folder: URL, attachmentsDirection: SyncReplica.Direction = .bidirectional,
    without globalIDs: Table? = nil, attachmentsAlsoOf other: Table? = nil,
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) throws {
    url = folder.appending(path: "sites.geodatabase")
    var schemas = Table.allCases.map(Self.schema)
    if let other { schemas[other.rawValue].hasAttachments = true }
    if let globalIDs {
      schemas[globalIDs.rawValue].globalIDField = nil
      schemas[globalIDs.rawValue].fields.removeAll { $0.name == "GlobalID" }
    }
    let definition = GeodatabaseDefinition(
      name: "Sites", capabilities: "Create,Delete,Query,Sync,Update",
      tables: schemas.map { GeodatabaseDefinition.Table($0) },
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(),
        serviceURL: "https://demo.test/arcgis/rest/services/Sites/FeatureServer", owner: "me",
        attachmentsDirection: attachmentsDirection, created: Self.moment,
        layers: Table.allCases.map {
          SyncReplica.Layer(layerID: $0.rawValue, serverGeneration: 1)
        }))
    let writer = try GeodatabaseWriter(at: url, definition, now: Self.moment) { UUID() }
    for row in Self.rows {
      let files = row.globalID == Self.alpha ? [Self.photo("as it was")] : []
      _ = try writer.append(
        Self.feature(row.table, row.globalID, row.name, of: row.parent, schemas),
        to: row.table.name, attachments: files)
    }
    try writer.finish()
    store = try EditableGeodatabase.open(
      at: url, now: { Self.moment.addingTimeInterval(60) }, makeID: makeID)
  }

  // MARK: - What it holds

  /// The global id of a feature by a number.
  static func id(_ number: Int) -> String { "{22222222-0000-4000-8000-00000000000\(number)}" }

  static let alpha = id(1)
  static let (survey, otherSurvey, sample, note) = (id(3), id(4), id(5), id(6))
  /// The rows whose edits are sent once the deletion of the site has arrived: its parts, and the note that
  /// has lost its key.
  static let releasedByAlpha = [survey, otherSurvey, note].sorted()
  static let photoID = "{33333333-0000-4000-8000-000000000001}"

  static let rows: [(table: Table, globalID: String, name: String, parent: String?)] = [
    (.sites, alpha, "Alpha", nil), (.sites, id(2), "Beta", nil),
    (.surveys, survey, "Spring", alpha), (.surveys, otherSurvey, "Autumn", alpha),
    (.samples, sample, "Soil", survey), (.notes, note, "Closed", alpha),
  ]

  static func photo(_ text: String) -> NewAttachment {
    NewAttachment(
      name: "a.txt", contentType: "text/plain", data: Data(text.utf8), globalID: photoID)
  }

  static func schema(_ table: Table) -> FeatureTableSchema {
    var relations: [RelationshipInfo] = []
    func relate(_ id: Int, _ role: RelationshipInfo.Role, _ other: Table, isPart: Bool) {
      let isOrigin = role == .origin
      relations.append(
        RelationshipInfo(
          id: id, name: "Relation\(id)", relatedTable: other.name, cardinality: .oneToMany,
          role: role, keyField: isOrigin ? "GlobalID" : "PARENT",
          relatedKeyField: isOrigin ? "PARENT" : "GlobalID", isComposite: isPart))
    }
    switch table {
    case .sites:
      relate(1, .origin, .surveys, isPart: true)
      relate(2, .origin, .notes, isPart: false)
    case .surveys:
      relate(1, .destination, .sites, isPart: true)
      relate(3, .origin, .samples, isPart: true)
    case .samples: relate(3, .destination, .surveys, isPart: true)
    case .notes: relate(2, .destination, .sites, isPart: false)
    }
    return FeatureTableSchema(
      name: table.name,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("NAME", .string, length: 40), Field("PARENT", .guid),
        Field("GlobalID", .globalID, isNullable: false, isEditable: false),
      ], globalIDField: "GlobalID", relationships: relations, hasAttachments: table == .sites,
      isChangeTracked: true, serviceLayerID: table.rawValue)
  }

  static func feature(
    _ table: Table, _ globalID: String, _ name: String, of parent: String? = nil,
    _ schemas: [FeatureTableSchema]? = nil
  ) -> Feature {
    let schema = schemas?[table.rawValue] ?? schema(table)
    var attributes = Attributes(FieldList(schema.fields), [.null, .text(name)])
    attributes["PARENT"] = parent.map { .text($0) } ?? .null
    if schema.globalIDField != nil { attributes["GlobalID"] = .text(globalID) }
    return Feature(objectID: 0, attributes: attributes)
  }

  // MARK: - What happens to it

  /// Others have done something to a table.
  func receive(
    _ table: Table, adds: [Feature] = [], updates: [Feature] = [], deletes: [String] = [],
    updatedFiles: [NewAttachment] = [], deletedFiles: [String] = []
  ) async throws -> SyncReceipt {
    try await receive([
      GeodatabaseDelta.Layer(
        layerID: table.rawValue, schema: Self.schema(table), serverGeneration: 2, adds: adds,
        updates: updates, deletes: deletes,
        updatedFiles: updatedFiles.map { .init($0, parentGlobalID: Self.alpha) },
        deletedFiles: deletedFiles)
    ])
  }

  func receive(_ layers: [GeodatabaseDelta.Layer]) async throws -> SyncReceipt {
    let generations = Dictionary(
      uniqueKeysWithValues: Table.allCases.map { ($0.rawValue, Int64(2)) })
    return try await store.receive(
      GeodatabaseDelta(replicaID: UUID(), layers: layers), layerGenerations: generations,
      generation: nil)
  }

  /// Others have removed the site with all that is a part of it.
  func receiveRemovalOfAlpha() async throws {
    let removed = [
      (Table.sites, [Self.alpha]), (.surveys, [Self.survey, Self.otherSurvey]),
      (.samples, [Self.sample]),
    ]
    _ = try await receive(
      removed.map { table, ids in
        GeodatabaseDelta.Layer(
          layerID: table.rawValue, schema: Self.schema(table), serverGeneration: 2, deletes: ids)
      })
  }

  func deleteAlpha() async throws {
    _ = try await store.apply([.delete(.objectID(1), table: Table.sites.name)])
  }

  func rename(_ objectID: Int64, in table: Table, _ name: String) async throws {
    _ = try await store.apply([
      .update(.objectID(objectID), table: table.name, attributes: ["NAME": .text(name)])
    ])
  }

  /// The service carries out what is to be sent, or refuses it.
  func upload(
    refusing refused: Set<String> = [], attachmentLimit: Int = 64 << 20
  ) async throws -> SyncUpload {
    let upload = try await store.makeUpload(attachmentLimit: attachmentLimit)
    let results = upload.edits.filter { $0.attachmentID == nil }.map { edit in
      let isRefused = refused.contains(edit.globalID)
      return GeodatabaseDelta.EditResult(
        objectID: nil, globalID: edit.globalID, isSuccess: !isRefused,
        code: isRefused ? 1000 : 0, reason: isRefused ? "Not on a Sunday." : "",
        kind: LocalChange.Kind(rawValue: edit.kind) ?? .update, layerID: edit.layerID)
    }
    try await store.finish(
      PendingUpload(edits: upload.edits, moment: upload.moment), results: results)
    return upload
  }

  /// Sends all that is to be sent; the global ids of the edits of each request.
  func sent() async throws -> [[String]] {
    var sent: [[String]] = []
    while true {
      let upload = try await upload()
      sent.append(upload.edits.map(\.globalID).sorted())
      guard upload.hasMore, !upload.isEmpty else { return sent }
    }
  }

  // MARK: - What is there

  /// The names in each table.
  func names() async throws -> [[String]] {
    var names: [[String]] = []
    for table in Table.allCases {
      let features = try await store.features(in: table.name, matching: QueryParameters()).collect()
      names.append(
        features.compactMap { feature in
          if case .text(let name)? = feature.attributes["NAME"] { name } else { nil }
        }.sorted())
    }
    return names
  }

  static let before = [["Alpha", "Beta"], ["Autumn", "Spring"], ["Soil"], ["Closed"]]

  /// The site that the note mentions.
  func noted() async throws -> AttributeValue? {
    try await store.features(in: "Notes", matching: QueryParameters()).collect().first?
      .attributes["PARENT"]
  }

  func changes() async throws -> [LocalChange] { try await store.localChanges().changes }

  /// The text of the photo; `nil` if there is none.
  func photo() async throws -> String? {
    guard let file = try await store.attachments(of: 1, in: "Sites").first else { return nil }
    return String(decoding: try await store.data(of: file.id, in: "Sites"), as: UTF8.self)
  }
}
