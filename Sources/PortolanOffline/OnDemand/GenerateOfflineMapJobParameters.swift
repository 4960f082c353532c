/// The parameters of a job that makes an offline map.
public struct GenerateOfflineMapJobParameters: Hashable, Sendable, Codable {
  /// The parameters: the part of the map to take, and how.
  public var parameters: GenerateOfflineMapParameters
  /// The parameters of each service; as the general parameters say unless given.
  public var overrides: GenerateOfflineMapParameterOverrides?

  /// Creates the parameters of a job.
  public init(
    parameters: GenerateOfflineMapParameters,
    overrides: GenerateOfflineMapParameterOverrides? = nil
  ) {
    self.parameters = parameters
    self.overrides = overrides
  }
}
