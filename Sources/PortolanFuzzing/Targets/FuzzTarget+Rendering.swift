internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanRendering

extension FuzzTarget {
  /// Pictures are decoded, whatever they claim to be.
  static let picture = FuzzTarget(
    "picture", words: ["IHDR", "IDAT", "IEND", "RIFF", "WEBP", "VP8L", "\u{FF}\u{D8}"],
    seeds: RenderingSeeds.pictures
  ) { data in
    let image = try PixelImage(decoding: data)
    try FuzzFinding.check(
      image.pixels.count == image.width * image.height, "a picture lacks pixels")
  }

  /// Features are drawn as changed drawing information asks, with their labels.
  static let drawing = FuzzTarget(
    "drawing", cost: 8, words: FormatWords.json + RenderingSeeds.words, form: .json,
    texts: RenderingSeeds.drawings
  ) { data in
    guard let object = try JSONValue(parsing: data).object else { return }
    var layers: [DrawnLayer] = []
    var layerJSON = object.object("layer") ?? [:]
    layerJSON["title"] = "Wells"
    layerJSON["showLabels"] = true
    layerJSON["visibility"] = true
    for type in [GeometryType.polygon, .polyline, .point] {
      let features = RenderingSeeds.features(type)
      let schema = FeatureTableSchema(
        name: "Wells", geometryType: type, spatialReference: .webMercator,
        fields: WhereSeeds.fields.fields)
      let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
      layers.append(
        DrawnLayer(
          layer: Layer(json: layerJSON),
          content: .features([
            FeatureLayerContent(
              store: store, schema: schema, drawingInfo: DrawingInfo(json: object),
              popup: PopupDefinition(schema: schema))
          ])))
    }
    let frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 3780, width: 48, height: 48,
      spatialReference: .webMercator, properties: .webMercator)
    let request = MapPictureRequest(frame: frame, concurrency: 1)
    _ = try await MapRenderer(layers: layers).picture(request)
    for entry in Renderer(json: object["renderer"])?.legendEntries.prefix(20) ?? [] {
      _ = try SwatchRenderer().pngData(of: entry.swatch)
    }
  }
}
