/// The parameters of a job that makes an offline map.
public struct GenerateOfflineMapJobParameters: Hashable, Sendable, Codable {
  /// What of the map is taken, and how.
  public var parameters: GenerateOfflineMapParameters
  /// What is asked of each service; as the parameters say unless given.
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
