internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase

/// A mobile geodatabase that is being made.
final class GeodatabaseTarget: FeatureStoreWriter {
  private var writer: GeodatabaseWriter?

  /// Begins a geodatabase with the tables.
  init(
    at url: URL, _ tables: [GeodatabaseDefinition.Table], now: Date,
    makeID: @escaping @Sendable () -> UUID
  ) throws(GeodatabaseWriterError) {
    let definition = GeodatabaseDefinition(
      name: url.deletingPathExtension().lastPathComponent,
      capabilities: "Create,Delete,Query,Update", tables: tables)
    writer = try GeodatabaseWriter(at: url, definition, now: now, makeID: makeID)
  }

  func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment]
  ) throws -> String? {
    do {
      _ = try writer?.append(feature, to: table, attachments: attachments)
      return nil
    } catch .invalidValue(_, _, let field, let reason) {
      return "«\(field)»: \(reason)"
    }
  }

  func finish() throws -> [Omission] {
    try writer.take()?.finish()
    return []
  }
}
