/// A process that works on the jobs of a home.
public struct JobWorker: Hashable, Sendable, Codable {
  /// The process as people know it, for example `process 4711 (portolan)`.
  public var name: String
  /// Whether it is the one that asks.
  public var isThisProcess: Bool

  /// Creates a worker.
  public init(name: String, isThisProcess: Bool) {
    self.name = name
    self.isThisProcess = isThisProcess
  }
}
