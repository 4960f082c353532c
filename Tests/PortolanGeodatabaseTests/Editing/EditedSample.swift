import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// A geodatabase for edits, beside a store in memory that holds the same.
struct EditedSample {
  let url: URL
  let file: EditableGeodatabase
  let model: InMemoryFeatureStore
  let tables: [RandomEdits.Table]

  /// Opens a file that may be changed.
  init(_ url: URL) async throws {
    self.url = url
    file = try EditableGeodatabase.open(
      at: url, user: "tester", undoLimit: 20, now: Self.clock(), makeID: Self.ids())
    var contents: [FeatureTableContents] = []
    var tables: [RandomEdits.Table] = []
    for schema in try await file.schemas() {
      let features = try await file.features(in: schema.name, matching: .init()).collect()
      let (encoder, next) = try await file.read { reader throws(FeatureStoreError) in
        let storage = try reader.storage(of: schema.name)
        return (
          EditedTable(storage, schema).encoder, Self.nextObjectID(of: schema.name, reader)
        )
      }
      contents.append(
        FeatureTableContents(
          schema: schema, features: features,
          attachedFiles: try await Self.files(of: features, schema, file), nextObjectID: next))
      let extent = try await file.extent(of: schema.name, matching: .init())
      tables.append(
        RandomEdits.Table(
          schema: schema, encoder: encoder,
          area: extent ?? Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1),
          objectIDs: features.map(\.objectID)))
    }
    self.tables = tables
    model = InMemoryFeatureStore(
      contents, user: "tester", undoLimit: 20, now: Self.clock(), makeID: Self.ids())
  }

  /// Stands still, so that the moments of transactions must come from the file.
  private static func clock() -> @Sendable () -> Date {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    return { start }
  }

  private static func ids() -> @Sendable () -> UUID {
    let numbers = SharedNumbers(seed: 11)
    return { numbers.id() }
  }

  private static func nextObjectID(
    of table: String, _ reader: borrowing GeodatabaseReader
  ) -> Int64 {
    let query = try? reader.connection.query(
      """
      SELECT max(g.base_id) FROM GDB_RowidGenerators AS g JOIN GDB_TableRegistry AS r
      ON g.registration_id = r.registration_id WHERE r.table_name = ? COLLATE NOCASE
      """, .text(table))
    guard let query, (try? query.step()) == true else { return 1 }
    return query.integer(at: 0)
  }

  private static func files(
    of features: [Feature], _ schema: FeatureTableSchema, _ store: EditableGeodatabase
  ) async throws -> [FeatureTableContents.AttachedFile] {
    guard schema.hasAttachments else { return [] }
    var files: [(Int64, FeatureTableContents.AttachedFile)] = []
    for feature in features {
      for file in try await store.attachments(of: feature.objectID, in: schema.name) {
        let data = try await store.data(of: file.id, in: schema.name)
        files.append(
          (
            file.id,
            .init(
              objectID: feature.objectID, name: file.name, contentType: file.contentType,
              data: data)
          ))
      }
    }
    return files.sorted { $0.0 < $1.0 }.map(\.1)
  }

  // MARK: - Running

  /// Does the same to the file and to the model until so many edits have succeeded, and compares them
  /// now and then.
  ///
  /// - Returns: How many groups were undone.
  func run(editCount: Int, seed: UInt64) async throws -> Int {
    var edits = RandomEdits(tables, seed: seed)
    var (succeeded, undone, groups) = (0, 0, 0)
    while succeeded < editCount {
      groups += 1
      if edits.takesBack() {
        let (left, right) = (await undo(file), await undo(model))
        #expect(left == right)
        if case .success(let changes) = left {
          undone += 1
          edits.note(undone: changes)
        }
      } else {
        let group = edits.group()
        let (left, right) = (await apply(group, file), await apply(group, model))
        try #require(left == right, "group \(groups)")
        switch left {
        case .success(let results):
          succeeded += results.count
          edits.note(results, of: group)
        case .failure(let error): edits.note(error)
        }
      }
      if groups % 500 == 0 { try await compare() }
    }
    try await compare()
    return undone
  }

  private func apply(
    _ group: [FeatureEdit], _ store: some EditableFeatureStore
  ) async -> Result<[FeatureEditResult], FeatureEditError> {
    do { return .success(try await store.apply(group)) } catch { return .failure(error) }
  }

  private func undo(
    _ store: some EditableFeatureStore
  ) async -> Result<[LocalChange], FeatureEditError> {
    do { return .success(try await store.undo().map(\.comparable)) } catch {
      return .failure(error)
    }
  }

  /// Compares everything that the two can be asked for.
  func compare() async throws {
    for table in tables {
      let name = table.schema.name
      let inFile = try await file.features(in: name, matching: .init()).collect()
      let inModel = try await model.features(in: name, matching: .init()).collect()
      #expect(inFile.map(\.objectID) == inModel.map(\.objectID))
      for (left, right) in zip(inFile, inModel) where left != right {
        Issue.record("\(name) \(left.objectID): \(left) is not \(right)")
      }
      for feature in inFile where table.schema.hasAttachments {
        let files = try await file.attachments(of: feature.objectID, in: name)
        #expect(files == (try await model.attachments(of: feature.objectID, in: name)))
        for attachment in files {
          let data = try await file.data(of: attachment.id, in: name)
          #expect(data == (try await model.data(of: attachment.id, in: name)))
        }
      }
    }
    let (left, right) = (try await file.localChanges(), try await model.localChanges())
    #expect(left.changes.map(\.comparable) == right.changes.map(\.comparable))
    #expect(left.tablesWithoutHistory == right.tablesWithoutHistory)
  }
}

extension LocalChange {
  /// Without the global ids of attachments, which the model does not know of old ones.
  fileprivate var comparable: LocalChange {
    var change = self
    for index in attachments.indices { change.attachments[index].globalID = nil }
    return change
  }
}
