public import PortolanJobs
public import PortolanLibrary

/// The making of an offline map of an area.
///
/// ```swift
/// let job = try task.makeGenerateOfflineMapJob(parameters: parameters, queue: queue, in: environment)
/// let result = try await job.result
/// ```
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
public struct GenerateOfflineMapJob: OfflineJob {
  /// The parameters: the part of the map to take, and how.
  public let parameters: GenerateOfflineMapParameters
  /// The parameters of each service; as the general parameters say unless given.
  public let overrides: GenerateOfflineMapParameterOverrides?
  public let queue: JobQueue
  public let order: OfflineJobOrder
  let environment: OfflineEnvironment

  public func output(of job: Job) async throws -> GenerateOfflineMapResult {
    guard let id = MapID(parameters.mapID),
      let map = try await environment.library.storage.storedMap(id)
    else { throw LibraryError.noSuchMap(parameters.mapID) }
    return GenerateOfflineMapResult(map: map, failedItems: job.failedItems)
  }
}

/// The outcome of making an offline map.
public struct GenerateOfflineMapResult: Hashable, Sendable {
  /// The map, as it is stored on this device.
  public let map: StoredMap
  /// What lacks, and what was left out by its nature.
  public let failedItems: [JobFailedItem]

  /// Whether something is missing that could have been taken.
  public var hasErrors: Bool { failedItems.contains(where: \.isFailure) }

  /// Why layers and tables lack, by their titles.
  public var errors: [String: JobFailure] {
    let pairs = failedItems.filter(\.isFailure).flatMap { item in
      item.affects.map { ($0, item.failure) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension OfflineMapTask {
  /// The job that makes an offline map; nothing is requested before it is started.
  ///
  /// - Parameters:
  ///   - parameters: What of the map is taken, and how.
  ///   - overrides: What is asked of each service; as the parameters say unless given.
  ///   - queue: The queue that the job is to be in.
  ///   - environment: Where the map is stored.
  /// - Returns: The job.
  /// - Throws: ``OfflineMapError`` for parameters that no service could satisfy.
  public func makeGenerateOfflineMapJob(
    parameters: GenerateOfflineMapParameters,
    overrides: GenerateOfflineMapParameterOverrides? = nil, queue: JobQueue,
    in environment: OfflineEnvironment
  ) throws -> GenerateOfflineMapJob {
    try parameters.check()
    try overrides?.check()
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters, overrides: overrides),
      title: parameters.itemInfo.title)
    return GenerateOfflineMapJob(
      parameters: parameters, overrides: overrides, queue: queue, order: order,
      environment: environment)
  }
}
