internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

/// Lends a writer to one task at a time, on a queue of its own, for its calls block.
actor WritingSession {
  /// A row with what is attached to it.
  struct Row: Sendable {
    var feature: Feature
    var attachments: [NewAttachment]
  }

  /// The result for some rows.
  struct Outcome: Sendable {
    var writtenCount = 0
    var attachmentCount = 0
    var failures: [ConversionResult.Failure] = []
  }

  private let executor: QueueExecutor
  private let make: @Sendable () throws -> any FeatureStoreWriter
  private var writer: (any FeatureStoreWriter)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates a session; `make` begins the file, on the queue.
  init(_ name: String, _ make: @escaping @Sendable () throws -> any FeatureStoreWriter) {
    executor = QueueExecutor(label: "PortolanConversion \(name)")
    self.make = make
  }

  /// Begins the file.
  func begin() throws { writer = try make() }

  /// Adds rows without attachments.
  func write(_ features: ArraySlice<Feature>, to table: TableTransfer) throws -> Outcome {
    var outcome = Outcome()
    for feature in features { try write(feature, [], to: table, &outcome) }
    return outcome
  }

  /// Adds rows.
  func write(_ rows: [Row], to table: TableTransfer) throws -> Outcome {
    var outcome = Outcome()
    for row in rows { try write(row.feature, row.attachments, to: table, &outcome) }
    return outcome
  }

  /// Finishes the file; returns what its format has no place for.
  func finish(replacing replaces: Bool) throws -> [Omission] {
    defer { writer = nil }
    return try writer?.finish(replacing: replaces) ?? []
  }

  /// Lets go of a file that is not to be finished, on the queue where it was begun.
  func abandon() { writer = nil }

  private func write(
    _ feature: Feature, _ attachments: [NewAttachment], to table: TableTransfer,
    _ outcome: inout Outcome
  ) throws {
    var feature = feature
    if let fields = table.renamedFields {
      feature.attributes = Attributes(fields, feature.attributes.values)
    }
    func refuse(_ reason: String) {
      outcome.failures.append(
        ConversionResult.Failure(
          part: table.source.name, item: "row \(feature.objectID)", reason: reason))
    }
    if table.projection != nil, let shape = feature.geometry {
      do { feature.geometry = try table.projected(shape) } catch {
        refuse(error.plainReason)
        return
      }
    }
    var refusals: [String] = []
    while let refusal = try writer?.append(
      feature, to: table.target.name, attachments: attachments)
    {
      refusals.append(refusal)
      guard clearUnfitValue(of: &feature, in: table.target) else {
        refuse(refusals.joined(separator: "; "))
        return
      }
    }
    for refusal in refusals { refuse("\(refusal); the row is kept without that value") }
    outcome.writtenCount += 1
    outcome.attachmentCount += attachments.count
  }

  /// Takes the value out that kept a row from being written; `false` if there is none, or the row is
  /// identified by it.
  private func clearUnfitValue(of feature: inout Feature, in table: FeatureTableSchema) -> Bool {
    guard let field = writer?.unfitField, !field.isSameName(as: table.objectIDField),
      !field.isSameName(as: table.globalIDField ?? ""),
      feature.attributes[field] ?? .null != .null
    else { return false }
    feature.attributes[field] = .null
    return true
  }
}
