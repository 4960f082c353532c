public import Foundation
internal import PortolanMap
internal import PortolanPortal

extension OfflineMapTask {
  /// The default parameters for an area of the map.
  ///
  /// The author of the map says what of editable and other layers is downloaded and exchanged.
  ///
  /// - Parameters:
  ///   - areaOfInterest: What of the map is taken.
  ///   - minScale: The smallest scale of tiles, 0 for no limit.
  ///   - maxScale: The largest scale of tiles, 0 for no limit.
  ///   - id: The id that the offline map is stored under.
  /// - Returns: The parameters.
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported, before any request is sent;
  ///   ``PortolanPortal/PortalError``.
  public func makeDefaultGenerateOfflineMapParameters(
    areaOfInterest: OfflineArea, minScale: Double = 0, maxScale: Double = 0, id: UUID
  ) async throws -> GenerateOfflineMapParameters {
    try areaOfInterest.check()
    let sources = try await MapSources.load(webMap, from: portal)
    var parameters = GenerateOfflineMapParameters(
      portal: portal.url, webMap: webMap.text, mapID: id.uuidString.lowercased(),
      areaOfInterest: areaOfInterest,
      itemInfo: OfflineMapItemInfo(
        title: sources.item.title, snippet: sources.item.snippet, tags: sources.item.tags,
        accessInformation: sources.item.accessInformation, termsOfUse: sources.item.termsOfUse))
    parameters.minScale = minScale
    parameters.maxScale = maxScale
    parameters.takeOver(sources.webMap.offlineSettings)
    try parameters.check()
    return parameters
  }

  /// The parameters of each service, to be changed one by one.
  ///
  /// - Parameters:
  ///   - parameters: What of the map is taken, and how.
  ///   - leftOut: The ids or titles of layers and tables that are left out.
  /// - Returns: What is asked, by service.
  /// - Throws: ``OfflineMapError``, ``PortolanPortal/PortalError``.
  public func makeGenerateOfflineMapParameterOverrides(
    parameters: GenerateOfflineMapParameters, leavingOut leftOut: Set<String> = []
  ) async throws -> GenerateOfflineMapParameterOverrides {
    try parameters.check()
    let sources = try await MapSources.load(webMap, from: portal)
    let defaults = OnDemandDefaults(sources: sources, parameters: parameters, leftOut: leftOut)
    if let name = defaults.unknownNames.first {
      throw OfflineMapError.noSuchLayer(name, map: sources.item.title)
    }
    return defaults.overrides
  }

  /// The layers and tables of the map that can be taken offline.
  ///
  /// - Throws: ``OfflineMapError``, ``PortolanPortal/PortalError``.
  public func offlineMapCapabilities(
    parameters: GenerateOfflineMapParameters,
    overrides: GenerateOfflineMapParameterOverrides? = nil
  ) async throws -> OfflineMapCapabilities {
    try parameters.check()
    try overrides?.check()
    return OnDemandPlan(try await MapSources.load(webMap, from: portal), parameters, overrides)
      .capabilities
  }
}
