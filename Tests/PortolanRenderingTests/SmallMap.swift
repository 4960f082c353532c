import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering

/// Small maps in memory, in Web Mercator, with 0,0 in their middle and a metre a pixel.
enum SmallMap {
  static let fields: [Field] = [
    Field("OBJECTID", .objectID), Field("NAME", .string),
    Field("VALUE", .double), Field("OTHER", .double),
  ]

  static func frame(
    width: Double = 120, height: Double = 80, rotation: Double = 0
  ) -> MapFrame {
    var frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 1, width: width, height: height,
      spatialReference: .webMercator, properties: .webMercator)
    frame.scale = frame.properties.scale(forResolution: 1)
    frame.rotation = rotation
    return frame
  }

  static func feature(
    _ id: Int64, _ geometry: Geometry?, name: String = "", value: Double = 0, other: Double = 0
  ) -> Feature {
    Feature(
      objectID: id,
      attributes: Attributes(
        FieldList(fields), [.integer(id), .text(name), .double(value), .double(other)]),
      geometry: geometry)
  }

  static func layer(
    _ type: GeometryType, _ features: [Feature], drawing: JSONObject, json: JSONObject = [:],
    reference: SpatialReference = .webMercator, unreadable: Set<Int64> = [], isView: Bool = false,
    changing: (inout FeatureTableSchema) -> Void = { _ in }
  ) -> DrawnLayer {
    var schema = FeatureTableSchema(
      name: "things", geometryType: type, spatialReference: reference, fields: fields)
    changing(&schema)
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
    var json = json
    json["title"] = "Things"
    return DrawnLayer(
      layer: Layer(json: json),
      content: .features([
        FeatureLayerContent(
          store: PartlyUnreadableStore(store, unreadable: unreadable, isView: isView),
          schema: schema, drawingInfo: DrawingInfo(json: drawing),
          popup: PopupDefinition(schema: schema))
      ]))
  }

  static func layer(
    _ type: GeometryType, _ features: [Feature], symbol: JSONObject
  ) -> DrawnLayer {
    layer(
      type, features,
      drawing: ["renderer": ["type": "simple", "symbol": .object(symbol)]])
  }

  static func picture(
    _ layers: [DrawnLayer], frame: MapFrame = SmallMap.frame(), format: MapPicture.Format = .png,
    concurrency: Int = 2, pixelRatio: Double = 1, referenceScale: Double = 0
  ) async throws -> MapPicture {
    try await MapRenderer(layers: layers, referenceScale: referenceScale).picture(
      MapPictureRequest(
        frame: frame, pixelRatio: pixelRatio, format: format, concurrency: concurrency))
  }

  static func point(_ x: Double, _ y: Double) -> Geometry { .point(Point(x: x, y: y)) }

  static func line(_ places: [(Double, Double)]) -> Geometry {
    .polyline(Polyline(paths: [Path(places.map { Coordinate(x: $0.0, y: $0.1) })]))
  }

  static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Geometry {
    .polygon(Envelope(xMin: x, yMin: y, xMax: x + width, yMax: y + height).polygon)
  }
}
