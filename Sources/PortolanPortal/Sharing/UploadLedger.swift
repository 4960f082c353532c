/// Keeps what is known of uploads that are under way.
public protocol UploadLedger: Sendable {
  /// What is known of the upload of a file; `nil` if none is under way.
  @concurrent func record(of file: String) async -> UploadRecord?

  /// Keeps what is known of an upload.
  @concurrent func keep(_ record: UploadRecord) async throws

  /// Forgets the upload of a file.
  @concurrent func forget(_ file: String) async
}

/// Keeps what is known of uploads as long as the program runs.
public actor InMemoryUploadLedger: UploadLedger {
  private var records: [String: UploadRecord] = [:]

  /// Creates a ledger without uploads.
  public init() {}

  public func record(of file: String) -> UploadRecord? { records[file] }

  public func keep(_ record: UploadRecord) { records[record.file] = record }

  public func forget(_ file: String) { records[file] = nil }
}
