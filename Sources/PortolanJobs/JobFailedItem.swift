/// A thing that a job could not bring, in its ledger.
public struct JobFailedItem: Hashable, Sendable, Codable {
  /// What the job calls it; unique in the job.
  public var name: String
  /// Where it was asked for, without query, so that it holds no secret.
  public var address: String?
  /// The HTTP status of the last answer.
  public var status: Int?
  /// How often it was tried.
  public var attempts: Int
  /// Why it failed last.
  public var failure: JobFailure

  /// Creates an entry.
  public init(
    name: String, address: String? = nil, status: Int? = nil, attempts: Int, failure: JobFailure
  ) {
    self.name = name
    self.address = address
    self.status = status
    self.attempts = attempts
    self.failure = failure
  }
}
