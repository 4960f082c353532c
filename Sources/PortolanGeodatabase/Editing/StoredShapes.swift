internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// Writes the shapes of a table that is edited, in the format of its file.
enum StoredShapes: Sendable {
  case blobs(GeometryBlobEncoder)
  /// Well-known binary; `isSingle` where the column is declared to hold single lines or areas.
  case packages(GeoPackageBinaryEncoder, isSingle: Bool)

  /// The encoder for a column; `nil` if nothing says how its shapes are stored.
  init?(_ geometry: GeometryColumn, _ schema: FeatureTableSchema, isSingle: Bool) {
    guard let type = geometry.type ?? schema.geometryType else { return nil }
    switch geometry.format {
    case .geodatabase:
      guard let precision = geometry.precision else { return nil }
      self = .blobs(
        GeometryBlobEncoder(
          precision: precision, srid: geometry.srid, geometryType: type, hasZ: geometry.hasZ,
          hasM: geometry.hasM))
    case .geoPackage:
      self = .packages(
        GeoPackageBinaryEncoder(
          srsID: Int32(truncatingIfNeeded: geometry.srid), geometryType: type,
          hasZ: geometry.hasZ, hasM: geometry.hasM), isSingle: isSingle)
    }
  }

  /// The ordinates that can be stored.
  var range: CoordinateRange {
    switch self {
    case .blobs(let encoder): encoder.precision.range
    case .packages:
      CoordinateRange(x: SpatialIndexBox.edgeRange, y: SpatialIndexBox.edgeRange)
    }
  }

  /// A shape, or what stands for none.
  func stored(_ geometry: Geometry?, at place: EditPlace) throws(FeatureEditError) -> SQLValue {
    do {
      switch self {
      case .blobs(let encoder): return .blob(.init(try encoder.encode(geometry).bytes))
      case .packages(let encoder, let isSingle):
        var bytes: [UInt8] = []
        let extent = try encoder.encode(geometry, into: &bytes).extent
        guard let extent, let geometry else { return .null }
        try SpatialIndexBox.check(extent)
        if isSingle { bytes = try Self.single(bytes, of: geometry) }
        return .blob(.init(bytes))
      }
    } catch {
      let reason = (error as? any LocalizedError)?.errorDescription
      throw .incompleteGeometry(reason: reason ?? "it cannot be stored", place)
    }
  }

  /// A shape of one part without the head of the collection that it is written in.
  private static func single(
    _ bytes: [UInt8], of geometry: Geometry
  ) throws(StoredShapeError) -> [UInt8] {
    let partCount: Int
    switch geometry {
    case .polyline(let polyline): partCount = polyline.paths.count
    case .polygon(let polygon): partCount = polygon.parts.count
    default: return bytes
    }
    guard partCount == 1 else {
      throw .damaged(reason: "the table holds shapes of a single part")
    }
    // The header of the file's format with a box, then byte order, kind and number of parts.
    return Array(bytes.prefix(40)) + bytes.dropFirst(40 + 9)
  }
}
