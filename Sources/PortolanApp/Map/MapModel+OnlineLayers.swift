internal import PortolanMap
internal import PortolanPackages
public import PortolanPortal
internal import PortolanWebMaps

public import struct Foundation.URL

extension MapModel {
  /// Asks the service of a layer again that was left to it, or of one of a web map, that could not be loaded.
  ///
  /// - Parameters:
  ///   - key: The layer's key.
  ///   - client: What asks its server, if with other credentials than the portal's.
  /// - Throws: A problem if there is no such layer, it is loaded already, it is at no service, or the
  ///   service does not give it.
  public func retry(_ key: String, with client: RESTClient? = nil) async throws(Problem) {
    guard let layer = tree.node(key)?.layer else {
      throw Problem(.noSuchLayer, message: "There is no layer \"\(key)\".")
    }
    guard let reason = state.problems[key] else {
      throw Problem(.notPossible, message: "\"\(layer.title)\" is loaded.")
    }
    switch map.contents {
    case let source as OnlineLayerContents:
      if case .failed(let error) = await source.load(layer, with: client) { throw Problem(error) }
    case let source as PartlyOnlineContents where layer.isOnlineOnly:
      try await source.retry(layer, with: client)
    default:
      throw Problem(
        .notPossible,
        message: "\"\(layer.title)\" is at no service that could be asked again: \(reason)")
    }
    await reload(key)
  }

  /// The server that has the data of a layer which was left to its service; `nil` of others.
  public func server(of key: String) -> URL? {
    guard let layer = tree.node(key)?.layer, layer.isOnlineOnly else { return nil }
    return layer.url.flatMap { URL(string: $0) }
  }
}
