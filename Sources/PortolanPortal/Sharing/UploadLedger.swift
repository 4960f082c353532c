/// Records the uploads in progress, so that they can be resumed.
public protocol UploadLedger: Sendable {
  /// The record of the upload of a file; `nil` if none is under way.
  @concurrent func record(of file: String) async -> UploadRecord?

  /// Stores the record of an upload.
  @concurrent func keep(_ record: UploadRecord) async throws

  /// Forgets the upload of a file.
  @concurrent func forget(_ file: String) async

  /// Keeps other processes from uploading a file for as long as someone has what is returned.
  ///
  /// - Throws: ``SharingError/inUse(file:)`` if one is uploading it.
  @concurrent func hold(_ file: String) async throws -> (any Sendable)?
}

extension UploadLedger {
  @concurrent public func hold(_ file: String) async throws -> (any Sendable)? { nil }
}

/// Records uploads in memory, as long as the process runs.
public actor InMemoryUploadLedger: UploadLedger {
  private var records: [String: UploadRecord] = [:]

  /// Creates an empty ledger.
  public init() {}

  public func record(of file: String) -> UploadRecord? { records[file] }

  public func keep(_ record: UploadRecord) { records[record.file] = record }

  public func forget(_ file: String) { records[file] = nil }
}
