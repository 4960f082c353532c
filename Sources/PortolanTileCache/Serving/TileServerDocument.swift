internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// The metadata of a set of tiles for client programs.
struct TileServerDocument {
  private let layer: TileServer.Layer
  private let root: String

  init(_ layer: TileServer.Layer, root: String) {
    self.layer = layer
    self.root = root
  }

  private var info: TileSourceInfo { layer.source.info }

  private var quad: WebMercatorQuad { WebMercatorQuad(matching: info.scheme) }

  /// What stands for itself in an address (RFC 3986, section 2.3).
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The address of the set.
  var address: String {
    let name = layer.name.addingPercentEncoding(withAllowedCharacters: Self.unreserved)
    return "\(root)/\(name ?? layer.name)"
  }

  /// The address of its tiles, with placeholders.
  var template: String { "\(address)/{z}/{x}/{y}.\(ending)" }

  /// The tile of the source that has this address in Web Mercator.
  func tile(level: Int, row: Int, column: Int) -> TileID? {
    guard level <= WebMercatorQuad.maximumLevel else { return nil }
    return WebMercatorQuad.source(
      of: TileID(level: level, row: row, column: column), in: info.scheme)
  }

  // MARK: - TileJSON

  /// Whether any level is one of web maps, as those who read TileJSON expect.
  var isOfWebMaps: Bool { !matchedLevels.isEmpty }

  /// The description after TileJSON 3.0.
  ///
  /// - Parameter layers: What the source says about the layers in vector tiles.
  /// - Returns: The document.
  func tileJSON(layers: JSONValue?) -> JSONValue {
    let levels = matchedLevels
    var object: JSONObject = [
      "tilejson": "3.0.0", "name": .string(info.name), "scheme": "xyz",
      "tiles": [.string(template)], "format": .string(ending),
      "minzoom": .integer(Int64(levels.min() ?? 0)), "maxzoom": .integer(Int64(levels.max() ?? 0)),
    ]
    object["attribution"] = info.attribution.map { .string($0) }
    object["description"] = info.summary.map { .string($0) }
    if let bounds = degrees {
      object["bounds"] = [
        .number(bounds.xMin), .number(bounds.yMin), .number(bounds.xMax), .number(bounds.yMax),
      ]
    }
    if let bounds = degrees {
      let center = (info.center ?? bounds.center)
        .rounded(toDecimals: SpatialReference.wgs84.writtenDecimals)
      let level = Self.level(showing: bounds, of: levels)
      object["center"] = [.number(center.x), .number(center.y), .integer(Int64(level))]
    }
    // Version 3.0 wants it of vector tiles, be it that nothing is known.
    if info.isVector { object["vector_layers"] = layers?["vector_layers"] ?? [] }
    return .object(object)
  }

  /// The finest level at which a tile is as wide as `bounds`, as far as there is such a level.
  private static func level(showing bounds: Envelope, of levels: [Int]) -> Int {
    let first = levels.min() ?? 0
    guard bounds.width > 0 else { return first }
    let level = Int(max(log2(360 / bounds.width), 0).rounded(.down))
    return max(first, min(level, levels.max() ?? first))
  }

  private var matchedLevels: [Int] {
    let levels = info.levels ?? 0...(info.scheme.levels.last?.level ?? 0)
    let quad = quad
    return levels.compactMap { quad.level(for: $0) }
  }

  private var ending: String {
    if info.isVector { return "pbf" }
    let format = info.declaredFormat.lowercased()
    return ["jpg", "jpeg"].contains(format) ? "jpg" : format == "webp" ? "webp" : "png"
  }

  private var degrees: Envelope? {
    guard let extent = info.fullExtent else { return nil }
    // Without bounds the whole world is meant.
    return try? Projection(from: info.scheme.spatialReference, to: .wgs84).project(extent)
      .rounded(toDecimals: SpatialReference.wgs84.writtenDecimals)
  }

  // MARK: - WMTS

  /// The capabilities after WMTS 1.0.0 (OGC 07-057r7).
  var capabilities: String {
    let name = Self.escaped(layer.name)
    let bounds = degrees ?? Envelope(xMin: -180, yMin: -85.0511, xMax: 180, yMax: 85.0511)
    // Of what is not known metres are the likely unit.
    let properties = (try? spatialReference.properties()) ?? .webMercator
    let type =
      info.isVector
      ? "application/vnd.mapbox-vector-tile" : ending == "jpg" ? "image/jpeg" : "image/\(ending)"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0" \
      xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" \
      version="1.0.0">
      <ows:ServiceIdentification><ows:Title>\(Self.escaped(info.name))</ows:Title>\
      <ows:ServiceType>OGC WMTS</ows:ServiceType>\
      <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>
      <ows:OperationsMetadata>\(operation("GetCapabilities"))\(operation("GetTile"))\
      </ows:OperationsMetadata>
      <Contents>
      <Layer><ows:Title>\(Self.escaped(info.name))</ows:Title>\
      <ows:WGS84BoundingBox><ows:LowerCorner>\(bounds.xMin) \(bounds.yMin)</ows:LowerCorner>\
      <ows:UpperCorner>\(bounds.xMax) \(bounds.yMax)</ows:UpperCorner></ows:WGS84BoundingBox>\
      <ows:Identifier>\(name)</ows:Identifier>\
      <Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>\
      <Format>\(type)</Format>\
      <TileMatrixSetLink><TileMatrixSet>tiles</TileMatrixSet>\
      \(limits(isGlobal: properties.isGeographic))</TileMatrixSetLink>\
      <ResourceURL format="\(type)" resourceType="tile" \
      template="\(Self.escaped(address))/wmts/{TileMatrix}/{TileRow}/{TileCol}"/></Layer>
      <TileMatrixSet><ows:Identifier>tiles</ows:Identifier>\
      <ows:SupportedCRS>\(reference)</ows:SupportedCRS>
      \(matrices(properties))
      </TileMatrixSet>
      </Contents>
      <ServiceMetadataURL xlink:href="\(Self.escaped(address))/wmts"/>
      </Capabilities>

      """
  }

  /// Why a request cannot be answered (OGC 06-121r3, 8).
  ///
  /// - Parameters:
  ///   - code: The code of the standard, such as `InvalidParameterValue`.
  ///   - parameter: The parameter that is wrong.
  ///   - text: What is wrong, for people.
  /// - Returns: The report.
  static func exception(_ code: String, _ parameter: String, _ text: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="1.1.0">\
    <ows:Exception exceptionCode="\(code)" locator="\(parameter)">\
    <ows:ExceptionText>\(escaped(text))</ows:ExceptionText></ows:Exception>\
    </ows:ExceptionReport>

    """
  }

  private func operation(_ name: String) -> String {
    """
    <ows:Operation name="\(name)"><ows:DCP><ows:HTTP>\
    <ows:Get xlink:href="\(Self.escaped(address))/wmts?"><ows:Constraint name="GetEncoding">\
    <ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>\
    </ows:HTTP></ows:DCP></ows:Operation>
    """
  }

  private var reference: String {
    // The EPSG's own has the latitude first.
    guard !spatialReference.isWGS84 else { return "urn:ogc:def:crs:OGC:1.3:CRS84" }
    // The numbers that Esri gave the Web Mercator are none of EPSG's.
    return "urn:ogc:def:crs:EPSG::\(spatialReference.currentWKID ?? 3857)"
  }

  private var spatialReference: SpatialReference { info.scheme.spatialReference.identified() }

  private var shownLevels: [TileScheme.Level] {
    let levels = info.levels ?? 0...(info.scheme.levels.last?.level ?? 0)
    return info.scheme.levels.filter { levels.contains($0.level) }
  }

  /// The levels that hold tiles, each with the size of the whole plane.
  private func matrices(_ properties: SpatialReferenceProperties) -> String {
    let scheme = info.scheme
    let isLatitudeFirst = properties.isGeographic && !spatialReference.isWGS84
    let corner =
      isLatitudeFirst
      ? "\(scheme.origin.y) \(scheme.origin.x)" : "\(scheme.origin.x) \(scheme.origin.y)"
    return shownLevels.map { level in
      let (width, height) = size(of: level, isGlobal: properties.isGeographic)
      // A pixel of 0.28 mm, as the standard has it, which measures degrees along the equator.
      let scale = level.resolution * properties.metersPerUnit / 0.00028
      return """
        <TileMatrix><ows:Identifier>\(level.level)</ows:Identifier>\
        <ScaleDenominator>\(scale)</ScaleDenominator>\
        <TopLeftCorner>\(corner)</TopLeftCorner>\
        <TileWidth>\(scheme.tileWidth)</TileWidth><TileHeight>\(scheme.tileHeight)</TileHeight>\
        <MatrixWidth>\(width)</MatrixWidth><MatrixHeight>\(height)</MatrixHeight></TileMatrix>
        """
    }.joined(separator: "\n")
  }

  /// Which tiles of each level the extent covers; nothing where the extent is unknown.
  private func limits(isGlobal: Bool) -> String {
    guard let extent = info.fullExtent else { return "" }
    let limits = shownLevels.compactMap { level -> String? in
      let (width, height) = size(of: level, isGlobal: isGlobal)
      let plane = TileRange(level: level.level, rows: 0..<height, columns: 0..<width)
      let covered = info.scheme.range(covering: extent, level: level.level)
      guard let tiles = covered?.intersection(plane) else { return nil }
      return """
        <TileMatrixLimits><TileMatrix>\(level.level)</TileMatrix>\
        <MinTileRow>\(tiles.rows.lowerBound)</MinTileRow>\
        <MaxTileRow>\(tiles.rows.upperBound - 1)</MaxTileRow>\
        <MinTileCol>\(tiles.columns.lowerBound)</MinTileCol>\
        <MaxTileCol>\(tiles.columns.upperBound - 1)</MaxTileCol></TileMatrixLimits>
        """
    }.joined()
    return limits.isEmpty ? "" : "<TileMatrixSetLimits>\(limits)</TileMatrixSetLimits>"
  }

  /// How many columns and rows a level has; of tiles in degrees whose extent is unknown, those of the world.
  private func size(of level: TileScheme.Level, isGlobal: Bool) -> (Int, Int) {
    if quad.level(for: level.level) == level.level { return (1 << level.level, 1 << level.level) }
    let world = isGlobal ? Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90) : nil
    let range = (info.fullExtent ?? world).flatMap {
      info.scheme.range(covering: $0, level: level.level)
    }
    return (range?.columns.upperBound ?? 1, range?.rows.upperBound ?? 1)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
