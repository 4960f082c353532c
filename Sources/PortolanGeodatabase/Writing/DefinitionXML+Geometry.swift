internal import PortolanGeometry
internal import PortolanXML

extension DefinitionXML {
  /// The shapes of a feature class, in its document.
  static func geometry(_ shapes: TableLayout.Shapes, _ extent: Envelope?) -> [XMLElement] {
    let reference = spatialReference(shapes.reference)
    return [
      .value("FeatureType", "esriFTSimple"), .value("ShapeType", shapes.type.rawValue),
      .value("ShapeFieldName", shapes.column), .value("HasM", shapes.hasM),
      .value("HasZ", shapes.hasZ), .value("HasSpatialIndex", true), .value("AreaFieldName", ""),
      .value("LengthFieldName", ""), envelope(extent, reference), reference,
    ]
  }

  private static func envelope(_ extent: Envelope?, _ reference: XMLElement) -> XMLElement {
    let edges = [extent?.xMin, extent?.yMin, extent?.xMax, extent?.yMax]
    let elements = zip(["XMin", "YMin", "XMax", "YMax"], edges).map { name, edge in
      edge.map { XMLElement.value(name, $0) } ?? XMLElement.value(name, "NaN")
    }
    return .typed("Extent", "EnvelopeN", elements + [reference])
  }

  /// A spatial reference with the grid of its coordinates.
  static func spatialReference(_ registered: RegisteredReference) -> XMLElement {
    let precision = registered.precision
    let type =
      registered.wkt == nil
      ? "UnknownCoordinateSystem"
      : registered.isGeographic ? "GeographicCoordinateSystem" : "ProjectedCoordinateSystem"
    var elements: [XMLElement] = []
    if let wkt = registered.wkt { elements.append(.value("WKT", wkt)) }
    elements += [
      .value("XOrigin", precision.xOrigin), .value("YOrigin", precision.yOrigin),
      .value("XYScale", precision.xyScale), .value("ZOrigin", precision.zOrigin),
      .value("ZScale", precision.zScale), .value("MOrigin", precision.mOrigin),
      .value("MScale", precision.mScale), .value("XYTolerance", registered.tolerance),
      .value("ZTolerance", 0.001), .value("MTolerance", 0.001), .value("HighPrecision", true),
    ]
    if registered.isGeographic { elements.append(.value("LeftLongitude", -180)) }
    if let reference = registered.reference, let id = reference.wkid ?? reference.latestWKID {
      elements.append(.value("WKID", "\(id)"))
      elements.append(.value("LatestWKID", "\(reference.currentWKID ?? id)"))
      if let vertical = reference.verticalWKID {
        elements.append(.value("VCSWKID", "\(vertical)"))
      }
    }
    return .typed("SpatialReference", type, elements)
  }
}

extension SpatialReference {
  /// The definition in the well-known text that Esri's software writes, if it is known.
  var esriWKT: String? {
    if let wkt { return wkt }
    if isWGS84 { return "\(Self.geographicWKT),AUTHORITY[\"EPSG\",4326]]" }
    // Without a definition the id must do, as it does in many real files.
    guard isWebMercator else { return try? esriWellKnownText() }
    return """
      PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",\(Self.geographicWKT)],\
      PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],\
      PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],\
      PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],\
      UNIT["Meter",1.0],AUTHORITY["EPSG",3857]]
      """
  }

  /// Longitude and latitude on WGS 84, without the closing bracket.
  private static let geographicWKT = """
    GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],\
    PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]
    """
}
