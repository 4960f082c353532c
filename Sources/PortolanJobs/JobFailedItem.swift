/// An item that a job could not fetch, in its ledger.
public struct JobFailedItem: Hashable, Sendable, Codable {
  /// The name, unique in the job.
  public var name: String
  /// The address at which it was requested, without query, so that it holds no secret.
  public var address: String?
  /// The HTTP status of the last response, or the code contained in it.
  public var status: Int?
  /// How often it was tried, in all runs of the job.
  public var attempts: Int
  /// The titles of the layers and tables that are missing because of it.
  public var affects: [String]
  /// Why it failed last.
  public var failure: JobFailure

  /// Creates an entry.
  public init(
    name: String, address: String? = nil, status: Int? = nil, attempts: Int,
    affects: [String] = [], failure: JobFailure
  ) {
    self.name = name
    self.address = address
    self.status = status
    self.attempts = attempts
    self.affects = affects
    self.failure = failure
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    address = try container.decodeIfPresent(String.self, forKey: .address)
    status = try container.decodeIfPresent(Int.self, forKey: .status)
    attempts = try container.decode(Int.self, forKey: .attempts)
    affects = try container.decodeIfPresent([String].self, forKey: .affects) ?? []
    failure = try container.decode(JobFailure.self, forKey: .failure)
  }

  /// Whether it makes the job one that is done in part; what is left out by its nature does not.
  public var isFailure: Bool { failure.kind != .excluded }

  /// Why it failed; servers that name what they speak of do not have it named twice.
  public var reason: String {
    failure.message.hasPrefix("\(name): ")
      ? String(failure.message.dropFirst(name.count + 2)) : failure.message
  }

  /// A sentence with its name and the reason of the failure.
  public var sentence: String { "\(name): \(reason)" }
}
