public import Foundation
internal import PortolanFeatures
public import PortolanGeodatabase
internal import PortolanGeometry
internal import Testing

/// A store in a file that is edited at random, beside a store in memory that holds the same.
///
/// Both must give the same answers, whatever is done to them.
public struct ModelledStore {
  /// Who edits.
  public static let user = "tester"
  /// How many groups of edits can be undone.
  public static let undoLimit = 20

  private let file: any EditableFileStore
  private let model: InMemoryFeatureStore
  private let tables: [RandomEdits.Table]

  /// Copies what a store holds into one in memory.
  ///
  /// - Parameter file: The store, opened for ``user``, with ``undoLimit``, ``clock()`` and ``ids()``.
  /// - Throws: What keeps the store from being read.
  public init(_ file: any EditableFileStore) async throws {
    self.file = file
    var contents: [FeatureTableContents] = []
    var tables: [RandomEdits.Table] = []
    for schema in try await file.schemas() {
      let features = try await file.features(in: schema.name, matching: .init()).collect()
      let details = try await file.details(of: schema.name)
      contents.append(
        FeatureTableContents(
          schema: schema, features: features,
          attachedFiles: try await Self.files(of: features, schema, file),
          nextObjectID: details.nextObjectID))
      let extent = try await file.extent(of: schema.name, matching: .init())
      tables.append(
        RandomEdits.Table(
          schema: schema, roundTrip: details.roundTrip,
          area: extent ?? Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1),
          objectIDs: features.map(\.objectID)))
    }
    self.tables = tables
    model = InMemoryFeatureStore(
      contents, user: Self.user, undoLimit: Self.undoLimit, now: Self.clock(), makeID: Self.ids())
  }

  /// A clock that stands still, so that the moments of transactions must come from the file.
  public static func clock() -> @Sendable () -> Date {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    return { start }
  }

  /// What makes global ids, the same every time.
  public static func ids() -> @Sendable () -> UUID {
    let numbers = SeededIDs(seed: 11)
    return { numbers.id() }
  }

  private static func files(
    of features: [Feature], _ schema: FeatureTableSchema, _ store: any EditableFileStore
  ) async throws -> [FeatureTableContents.AttachedFile] {
    guard schema.hasAttachments else { return [] }
    var files: [(Int64, FeatureTableContents.AttachedFile)] = []
    for feature in features {
      for file in try await store.attachments(of: feature.objectID, in: schema.name) {
        let data = try await store.data(of: file.id, in: schema.name)
        let attached = FeatureTableContents.AttachedFile(
          objectID: feature.objectID, name: file.name, contentType: file.contentType, data: data)
        files.append((file.id, attached))
      }
    }
    return files.sorted { $0.0 < $1.0 }.map(\.1)
  }

  // MARK: - Running

  /// Does the same to the file and to the model until so many edits have succeeded, and compares them
  /// now and then.
  ///
  /// - Returns: How many groups were undone.
  public func run(editCount: Int, seed: UInt64) async throws -> Int {
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
    _ group: [FeatureEdit], _ store: any EditableFeatureStore
  ) async -> Result<[FeatureEditResult], FeatureEditError> {
    do { return .success(try await store.apply(group)) } catch { return .failure(error) }
  }

  private func undo(
    _ store: any EditableFeatureStore
  ) async -> Result<[LocalChange], FeatureEditError> {
    do { return .success(try await store.undo().map(\.comparable)) } catch {
      return .failure(error)
    }
  }

  /// Compares everything that the two can be asked for.
  private func compare() async throws {
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
