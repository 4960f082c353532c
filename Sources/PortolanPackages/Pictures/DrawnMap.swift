public import PortolanMap

/// The drawn layers of a map: those that are switched on, with their data.
public struct DrawnMap: Sendable {
  /// The layers, lowest first.
  public var layers: [DrawnLayer]
  /// The colour behind all layers, if the map says so.
  public var background: RGBAColor?
  /// The scale, as a denominator, at which symbols have the size they say; 0 for every scale.
  public var referenceScale: Double
  /// The attribution for the map as a whole; layers tell for themselves.
  public var credits: [String] = []
  /// The map document, for the properties of the whole map that a renderer reports as not drawn;
  /// `nil` for layers alone.
  public var webMap: WebMap?

  /// Creates a map of layers alone, which are given lowest first.
  public init(
    layers: [DrawnLayer], background: RGBAColor? = nil, referenceScale: Double = 0
  ) {
    self.layers = layers
    self.background = background
    self.referenceScale = referenceScale
  }

  /// Creates what is drawn of a map, of which `layers` are on, lowest first.
  public init(of map: MobileMap, layers: [DrawnLayer]) {
    self.init(
      layers: layers, background: map.webMap.backgroundColor,
      referenceScale: map.webMap.referenceScale)
    webMap = map.webMap
    credits = [map.item.accessInformation].compactMap(\.self)
  }

  /// Finds the data of the layers of a map that are switched on: the basemap's, the operational
  /// ones, the basemap's reference layers.
  @concurrent public init(of map: MobileMap) async {
    let basemap = map.webMap.basemap
    var layers: [DrawnLayer] = []
    for layer in basemap.baseLayers + map.webMap.operationalLayers + basemap.referenceLayers {
      await Self.add(layer, in: [], of: map, to: &layers)
    }
    self.init(of: map, layers: layers)
  }

  private static func add(
    _ layer: Layer, in groups: [Layer], of map: MobileMap, to layers: inout [DrawnLayer]
  ) async {
    let isHandedDown = groups.first?.visibilityMode == .inherited
    guard layer.isVisible || isHandedDown else { return }
    guard case .group = layer.kind else {
      let content = await map.contents.content(of: layer)
      layers.append(DrawnLayer(layer: layer, content: content, groups: groups))
      return
    }
    let children = layer.layers
    let shown =
      layer.visibilityMode == .exclusive
      ? children.last { $0.isVisible }.map { [$0] } ?? [] : children
    for child in shown { await add(child, in: [layer] + groups, of: map, to: &layers) }
  }
}
