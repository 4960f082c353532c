internal import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTransport
internal import PortolanWebMaps

extension MobileMap {
  /// The same map, whose layers that are at services alone are opened from there.
  ///
  /// - Parameter online: What opens them, or why nothing does.
  /// - Returns: The map.
  func opening(with online: Result<OnlineLayerContents, PortalError>) -> MobileMap {
    MobileMap(
      name: name, item: item, webMap: webMap,
      contents: PartlyOnlineContents(others: contents, online: online))
  }
}

/// The layers of a map on this device, those that were left to their services from there.
struct PartlyOnlineContents: LayerContentSource {
  let others: any LayerContentSource
  let online: Result<OnlineLayerContents, PortalError>

  var isPacked: Bool { others.isPacked }

  func content(of layer: Layer) async -> LayerContent {
    guard layer.isOnlineOnly else { return await others.content(of: layer) }
    switch online {
    case .success(let online): return await content(of: layer, from: online)
    case .failure(let error): return .unavailable(reason: Self.reason(error))
    }
  }

  /// Asks the service of a layer again.
  ///
  /// - Parameters:
  ///   - layer: The layer.
  ///   - client: What asks its server, if with other credentials than the portal's.
  /// - Throws: A problem if the layer cannot be loaded.
  func retry(_ layer: Layer, with client: RESTClient?) async throws(Problem) {
    let contents: OnlineLayerContents
    do throws(PortalError) { contents = try online.get() } catch { throw Problem(error) }
    if case .failed(let error) = await contents.load(layer, with: client) { throw Problem(error) }
  }

  private func content(
    of layer: Layer, from online: OnlineLayerContents
  ) async -> LayerContent {
    // One that failed may be there now.
    if case .failed = await online.status(of: layer) { await online.load(layer) }
    let content = await online.content(of: layer)
    guard case .failed(let error) = await online.status(of: layer) else { return content }
    if case .portal(let cause) = error, let reason = Self.reasonOfNetwork(cause) {
      return .unavailable(reason: reason)
    }
    guard case .unavailable(let reason) = content else { return content }
    return .unavailable(reason: "Online only: \(reason)")
  }

  private static func reason(_ error: PortalError) -> String {
    if let reason = reasonOfNetwork(error) { return reason }
    let sentences = [error.errorDescription, error.recoverySuggestion].compactMap(\.self)
    return "Online only: \(sentences.joined(separator: " "))"
  }

  /// The reason why a server was not reached; `nil` if it was, and something else is wrong.
  private static func reasonOfNetwork(_ error: PortalError) -> String? {
    switch error.cause {
    case .transport(.offline): "Online only; not available without a network."
    case .transport(.unreachable(let host, _)), .transport(.unknownHost(let host)):
      "Online only; its server \(host) cannot be reached."
    default: nil
    }
  }

  func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    try await others.openForEditing(layer)
  }

  func endEditing() async { await others.endEditing() }

  func close() async { await others.close() }

  func checkEdits(of layer: Layer) async throws { try await others.checkEdits(of: layer) }
}

extension PortalError {
  /// The error of the part that failed, if one did.
  var cause: PortalError {
    if case .part(_, let cause) = self { cause.cause } else { self }
  }
}
