internal import PortolanFeatures
internal import PortolanGeodatabase

/// Reads what is attached to rows, a few rows at a time.
struct AttachmentReader: Sendable {
  let store: any FeatureStore
  /// The name of the table whose rows they are attached to.
  let table: String

  /// The bytes of contents that are held at once, as far as single files allow.
  private static let greatestWeight = 16 << 20

  /// Calls `receive` with the rows and all that is attached to them, in groups of moderate size.
  func read(
    _ features: ArraySlice<Feature>,
    _ receive: ([WritingSession.Row], [ConversionResult.Failure]) async throws -> Void
  ) async throws {
    var rows: [WritingSession.Row] = []
    var failures: [ConversionResult.Failure] = []
    var weight = 0
    for feature in features {
      var row = WritingSession.Row(feature: feature, attachments: [])
      for attachment in try await list(of: feature, &failures) {
        guard let file = try await contents(of: attachment, &failures) else { continue }
        weight += file.data.count
        row.attachments.append(file)
      }
      rows.append(row)
      guard weight > Self.greatestWeight else { continue }
      try await receive(rows, failures)
      (rows, failures, weight) = ([], [], 0)
    }
    if !rows.isEmpty { try await receive(rows, failures) }
  }

  /// How many files are attached to the rows.
  func count(_ features: ArraySlice<Feature>) async throws -> Int {
    var failures: [ConversionResult.Failure] = []
    var count = 0
    for feature in features { count += try await list(of: feature, &failures).count }
    return count
  }

  private func list(
    of feature: Feature, _ failures: inout [ConversionResult.Failure]
  ) async throws(FeatureStoreError) -> [Attachment] {
    do { return try await store.attachments(of: feature.objectID, in: table) } catch .damaged(
      _, _, let reason)
    {
      failures.append(failure("the attachments of row \(feature.objectID)", reason))
      return []
    }
  }

  private func contents(
    of attachment: Attachment, _ failures: inout [ConversionResult.Failure]
  ) async throws(FeatureStoreError) -> NewAttachment? {
    do {
      return NewAttachment(
        name: attachment.name, contentType: attachment.contentType,
        data: try await store.data(of: attachment.id, in: table), id: attachment.id)
    } catch .damaged(_, _, let reason) {
      failures.append(failure("the attachment \"\(attachment.name)\"", reason))
      return nil
    }
  }

  private func failure(_ item: String, _ reason: String) -> ConversionResult.Failure {
    ConversionResult.Failure(part: table, item: item, reason: reason)
  }
}
