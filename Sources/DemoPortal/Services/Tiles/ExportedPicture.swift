internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanRendering
internal import PortolanSample
internal import PortolanTiles

/// The parameters of an `export` or `exportImage` request.
struct ExportedPicture {
  /// The default limit of services of ArcGIS, in pixels.
  static let maximumSide = 4096

  let extent: Envelope
  let spatialReference: SpatialReference
  let width: Int
  let height: Int
  let dotsPerInch: Double
  let isTransparent: Bool

  /// - Throws: The envelope of a service for what cannot be drawn.
  init(_ parameters: DemoParameters) throws(DemoFailure) {
    let corners = parameters.list("bbox").compactMap { Double($0) }.filter(\.isFinite)
    guard corners.count == 4, corners[0] < corners[2], corners[1] < corners[3] else {
      throw DemoFailure(code: 400, "Invalid or missing input parameters.")
    }
    let box = Envelope(xMin: corners[0], yMin: corners[1], xMax: corners[2], yMax: corners[3])
    let given = try Self.reference(parameters["bboxSR"]) ?? .webMercator
    spatialReference = try Self.reference(parameters["imageSR"]) ?? given
    do throws(GeometryError) {
      extent = try Projection(from: given, to: spatialReference).project(box)
    } catch {
      throw DemoFailure(code: 400, "Invalid or missing input parameters.")
    }
    let sides = parameters.list("size").compactMap { Int($0) }
    (width, height) = sides.count == 2 ? (sides[0], sides[1]) : (400, 400)
    let allowed = 1...Self.maximumSide
    guard allowed.contains(width), allowed.contains(height) else {
      throw DemoFailure(
        code: 400, "Unable to complete operation.",
        details: ["The requested image exceeds the size limit."])
    }
    dotsPerInch = min(max(parameters.double("dpi") ?? 96, 1), 1200)
    isTransparent = parameters.bool("transparent") ?? false
  }

  private static func reference(_ text: String?) throws(DemoFailure) -> SpatialReference? {
    guard let text else { return nil }
    if let wkid = Int(text) { return SpatialReference(wkid: wkid) }
    // Text that is not JSON is not a spatial reference.
    guard let json = try? JSONValue(parsing: text), let reference = SpatialReference(esriJSON: json)
    else { throw DemoFailure(code: 400, "Invalid or missing input parameters.") }
    return reference
  }

  /// The layers as a PNG; those of the ids in `shown`, if the request names any.
  func png(
    of content: HostedContent, shown: [Int]?, conditions: [Int: String]
  ) async throws -> Data {
    let tables = content.layers.filter { shown?.contains($0.id) ?? true }
    let store = InMemoryFeatureStore(
      tables.map {
        FeatureTableContents(schema: $0.schema, features: $0.rows.map(\.feature))
      })
    let layers = tables.reversed().map { table in
      let resource: JSONObject = ["drawingInfo": table.drawingInfo ?? .null]
      var layer: JSONObject = ["title": .string(table.schema.name)]
      if let condition = conditions[table.id] {
        layer["layerDefinition"] = ["definitionExpression": .string(condition)]
      }
      let described = Layer(json: layer)
      return DrawnLayer(
        layer: described,
        content: .features([
          FeatureLayerContent(
            store: store, schema: table.schema, layer: described, resource: resource)
        ]))
    }
    let ratio = dotsPerInch / 96
    let frame = MapFrame(
      center: extent.center, scale: 1, width: Double(width) / ratio,
      height: Double(height) / ratio, spatialReference: spatialReference,
      properties: try spatialReference.properties()
    ).showing(extent)
    let background =
      isTransparent
      ? RGBAColor(red: 255, green: 255, blue: 255, alpha: 0)
      : RGBAColor(red: 255, green: 255, blue: 255)
    return try await MapRenderer(layers: layers).picture(
      MapPictureRequest(frame: frame, pixelRatio: ratio, background: background)
    ).data
  }
}

extension DemoParameters {
  /// The ids in `layers=show:1,2`; `nil` if the request does not say.
  var shownLayers: [Int]? {
    guard let text = self["layers"], let colon = text.firstIndex(of: ":") else { return nil }
    let ids = text[text.index(after: colon)...].split(separator: ",").compactMap { Int($0) }
    return text[..<colon].lowercased() == "show" ? ids : nil
  }

  /// The conditions in `layerDefs`, by the id of the layer.
  var layerConditions: [Int: String] {
    get throws(DemoFailure) {
      let members = try json("layerDefs")?.object?.members ?? []
      return Dictionary(
        members.compactMap { member in
          Int(member.name).flatMap { id in member.value.string.map { (id, $0) } }
        }, uniquingKeysWith: { $1 })
    }
  }
}

/// The addresses of an image service of the picture below the layers.
struct ImageServiceRoutes: Sendable {
  let renderer: BackdropTiles
  let name: String
  /// The path of the service, which ends with `ImageServer`.
  let path: String

  /// Adds the addresses.
  func add(to router: inout Router) {
    router.add(path) { _ in .json(root) }
    router.add(path + "/exportImage") { request in
      let picture = try ExportedPicture(request.parameters)
      guard picture.spatialReference.isWebMercator else {
        throw DemoFailure(code: 400, "Invalid or missing input parameters.")
      }
      return .bytes(
        try renderer.contents.backdropPNG(
          of: picture.extent, width: picture.width, height: picture.height), type: "image/png")
    }
  }

  private var root: JSONValue {
    let reference = renderer.scheme.spatialReference
    let extent = renderer.fullExtent.esriJSON(spatialReference: reference)
    return [
      "currentVersion": 11.5, "name": .string(name), "serviceDescription": "Maine in one picture",
      "description": "Maine in one picture", "extent": extent, "fullExtent": extent,
      "initialExtent": extent, "spatialReference": reference.esriJSON, "pixelSizeX": 100,
      "pixelSizeY": 100, "bandCount": 3, "pixelType": "U8", "minPixelSize": 0, "maxPixelSize": 0,
      "copyrightText": .string(DemoContent.credits),
      "serviceDataType": "esriImageServiceDataTypeRGB", "capabilities": "Image,Metadata",
      "maxImageHeight": 1024, "maxImageWidth": 1024, "minScale": 0, "maxScale": 0,
      "singleFusedMapCache": false, "allowRasterFunction": false,
    ]
  }
}
