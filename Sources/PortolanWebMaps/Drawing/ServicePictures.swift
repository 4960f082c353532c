internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTiles

/// A map service or an image service that is asked for pictures.
struct ServicePictures: MapImageSource {
  /// The bytes of pictures that are kept for a layer.
  private static let limit = 64 << 20
  /// The largest picture of services that do not state a limit.
  private static let defaultSide = 2048

  let maximumSide: (width: Int, height: Int)
  let attribution: String?
  let problems: [String]
  private let name: String
  private let draw: @Sendable (MapImageRequest) async throws(PortalError) -> Data
  private let cache: SessionCache<MapImageRequest, Data, TileError>

  private init(
    _ info: MapServiceInfo, name: String, problems: [String],
    draw: @escaping @Sendable (MapImageRequest) async throws(PortalError) -> Data
  ) {
    func side(_ member: String) -> Int {
      min(max(info.json.int(member) ?? Self.defaultSide, 1), 8192)
    }
    maximumSide = (side("maxImageWidth"), side("maxImageHeight"))
    attribution = info.copyrightText
    self.name = name
    self.problems = problems
    self.draw = draw
    cache = SessionCache(limit: Self.limit) { $0.count }
  }

  func image(_ request: MapImageRequest) async throws(TileError) -> Data {
    let (name, draw) = (name, draw)
    return try await cache.value(for: request, orIfCancelled: .cancelled) {
      do throws(PortalError) { return .success(try await draw(request)) } catch {
        if case .cancelled = error { return .failure(.cancelled) }
        return .failure(.unreadable(file: name, reason: error.clause))
      }
    }
  }
}

extension ServicePictures {
  /// The layers of a map service that a layer of the map shows.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - info: Its metadata.
  ///   - sublayers: Its layers, as the map shows them.
  init(_ service: MapService, _ info: MapServiceInfo, _ sublayers: MapSublayers) {
    let shown = sublayers.drawnIDs
    let content = sublayers.content
    let definitions = content.sublayers.compactMap { sublayer -> (Int, String)? in
      guard let id = sublayer.id.flatMap({ Int($0) }),
        let condition = sublayer.layerDefinition.json.filledText("definitionExpression")
      else { return nil }
      return (id, condition)
    }
    let layerDefinitions = Dictionary(definitions, uniquingKeysWith: { $1 })
    let isRedrawn = content.sublayers.contains {
      $0.layerDefinition.json["drawingInfo"]?.object?.isEmpty == false
    }
    self.init(
      info, name: service.url.lastServiceName,
      problems: isRedrawn ? ["its service draws the symbols of its own, not those of the map"] : []
    ) { (request) async throws(PortalError) in
      var parameters = MapImageParameters(request)
      parameters.visibleLayers = shown
      parameters.layerDefinitions = layerDefinitions
      return try await service.image(parameters)
    }
  }

  /// The rasters of an image service, as a layer of the map shows them.
  init(_ service: ImageService, _ info: MapServiceInfo, _ layer: Layer) {
    let json = layer.json
    let bands = json["bandIds"]?.array?.compactMap(\.int) ?? []
    self.init(info, name: service.url.lastServiceName, problems: []) {
      (request) async throws(PortalError) in
      var parameters = MapImageParameters(request)
      parameters.renderingRule = json["renderingRule"] ?? json["rasterFunction"]
      parameters.mosaicRule = json["mosaicRule"]
      parameters.bandIDs = bands.isEmpty ? nil : bands.map { "\($0)" }.joined(separator: ",")
      return try await service.image(parameters)
    }
  }
}

extension MapImageParameters {
  fileprivate init(_ request: MapImageRequest) {
    self.init(
      extent: request.extent, spatialReference: request.spatialReference, width: request.width,
      height: request.height, dotsPerInch: request.dotsPerInch)
  }
}

extension PortalError {
  /// The reason as a clause.
  var clause: String {
    let text = errorDescription ?? "the server does not answer"
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension URL {
  /// The name of a service for people, without its kind.
  var lastServiceName: String {
    let parts = pathComponents
    guard let kind = parts.last, kind.hasSuffix("Server"), parts.count > 1 else {
      return lastPathComponent
    }
    return parts[parts.count - 2]
  }
}
