internal import PortolanFeatures
internal import PortolanLocks

/// A file that is open: where it is, and what has been found out about its tables.
///
/// Shared by all connections, so that each table is looked at once.
package final class GeodatabaseSource: Sendable {
  let location: GeodatabaseLocation
  let format: any TableFormat

  private struct Findings {
    var storages: [String: TableStorage] = [:]
    var schemas: [String: FeatureTableSchema] = [:]
    var attachments: [String: AttachmentTable?] = [:]
    var tableNames: [String]?
  }

  private let findings = Locked(Findings())

  package init(_ location: GeodatabaseLocation, format: any TableFormat = GeodatabaseFormat()) {
    self.location = location
    self.format = format
  }

  /// Forgets what has been found out, since the file was written.
  func forget() { findings.withLock { $0 = Findings() } }

  /// The names of the tables that people are meant to see, once they are known.
  var tableNames: [String]? {
    get { findings.withLock(\.tableNames) }
    set { findings.withLock { $0.tableNames = newValue } }
  }

  func storage(_ key: String) -> TableStorage? { findings.withLock { $0.storages[key] } }

  func schema(_ key: String) -> FeatureTableSchema? { findings.withLock { $0.schemas[key] } }

  /// The attachment table; `.some(nil)` where it is known that there is none.
  func attachmentTable(_ key: String) -> AttachmentTable?? {
    findings.withLock { $0.attachments[key] }
  }

  func keep(_ storage: TableStorage, for key: String) {
    findings.withLock { $0.storages[key] = storage }
  }

  func keep(_ schema: FeatureTableSchema, for key: String) {
    findings.withLock { $0.schemas[key] = schema }
  }

  func keep(_ table: AttachmentTable?, for key: String) {
    findings.withLock { $0.attachments[key] = .some(table) }
  }
}
