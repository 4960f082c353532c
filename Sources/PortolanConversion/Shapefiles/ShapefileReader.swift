internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Reads a shapefile: the shapes (`.shp`), their rows (`.dbf`), their reference (`.prj`).
///
/// - SeeAlso: [ESRI Shapefile Technical Description](https://www.esri.com/content/dam/esrisites/sitecore-archive/Files/Pdfs/library/whitepapers/pdfs/shapefile.pdf)
struct ShapefileReader {
  /// Vertices of one shape; a damaged count may ask for any number.
  private static let maximumVertices = 50_000_000

  private let name: String
  private let shapes: ShapefileBytes
  private let rows: DBaseTable?
  private let type: Int
  private let reference: SpatialReference?

  /// Reads the files whose `.shp` is at `url`.
  ///
  /// - Throws: `FeatureStoreError`.
  init(_ url: URL) throws(FeatureStoreError) {
    name = url.lastPathComponent
    guard let data = Data(besideShapes: url, ending: "shp") else {
      throw .unreadable(file: name, reason: "it is absent, or you may not read it")
    }
    shapes = ShapefileBytes(data)
    guard shapes.big(0) == 9994, let type = shapes.little(32) else {
      throw .damaged(file: name, place: "the header", reason: "it is no shapefile")
    }
    guard [0, 1, 3, 5, 8, 11, 13, 15, 18, 21, 23, 25, 28].contains(type) else {
      throw .unsupported(file: name, feature: "shapes of the type \(type)")
    }
    self.type = type
    let encoding = Data(besideShapes: url, ending: "cpg").map {
      String(decoding: $0, as: UTF8.self)
    }
    rows = try Data(besideShapes: url, ending: "dbf").map { data throws(FeatureStoreError) in
      try DBaseTable(data, encoding: encoding, file: url.deletingPathExtension().lastPathComponent)
    }
    reference = SpatialReference(beside: url)
  }

  /// The rows with their shapes, as a table with the name of the file.
  func contents() throws(FeatureStoreError) -> FeatureTableContents {
    let stem = (name as NSString).deletingPathExtension
    var taken = Set((rows?.fields ?? []).map { $0.name.lowercased() })
    let key = TableNames.unused(taken.contains("objectid") ? "FID_" : "OBJECTID", among: &taken)
    let fields = [Field(key, .objectID)] + (rows?.fields ?? [])
    let list = FieldList(fields)
    var features: [Feature] = []
    var offset = 100
    var number = 0
    while offset + 8 <= shapes.count {
      guard let words = shapes.big(offset + 4), words >= 2,
        offset + 8 + words * 2 <= shapes.count
      else {
        throw .damaged(
          file: name, place: "shape \(number + 1)", reason: "its length leads out of the file")
      }
      let geometry = try shape(at: offset + 8, size: words * 2, number: number + 1)
      if let values = rows.map({ $0.values(number) }) ?? [] {
        features.append(
          Feature(
            objectID: Int64(number + 1),
            attributes: Attributes(list, [.integer(Int64(number + 1))] + values),
            geometry: geometry))
      }
      number += 1
      offset += 8 + words * 2
    }
    let schema = FeatureTableSchema(
      name: stem, geometryType: geometryType, hasZ: (11...18).contains(type),
      spatialReference: reference, fields: fields, objectIDField: key)
    return FeatureTableContents(schema: schema, features: features)
  }

  /// In which encoding the names and texts of the rows are, where that is not UTF-8, in sentences.
  var notes: [String] {
    guard let encodings = rows?.otherEncodings, !encodings.isEmpty else { return [] }
    return [
      "Texts of \"\((name as NSString).deletingPathExtension).dbf\" were read as "
        + "\(encodings.sorted().joined(separator: " and ")). If they look wrong, put the name of their "
        + "encoding into a .cpg file beside it."
    ]
  }

  private var geometryType: GeometryType? {
    switch type % 10 {
    case 1: .point
    case 3: .polyline
    case 5: .polygon
    case 8: .multipoint
    default: nil
    }
  }

  private func shape(
    at start: Int, size: Int, number: Int
  ) throws(FeatureStoreError) -> Geometry? {
    let damage = FeatureStoreError.damaged(
      file: name, place: "shape \(number)", reason: "its counts lead out of the file")
    guard let type = shapes.little(start) else { throw damage }
    if type == 0 { return nil }
    let hasHeights = (11...18).contains(type)
    switch type % 10 {
    case 1:
      guard size >= (hasHeights ? 28 : 20), let x = shapes.double(start + 4),
        let y = shapes.double(start + 12)
      else { throw damage }
      return .point(Point(x: x, y: y, z: hasHeights ? shapes.double(start + 20) : nil))
    case 8:
      guard let count = shapes.little(start + 36), count >= 0, 40 + count * 16 <= size else {
        throw damage
      }
      return .multipoint(Multipoint(points: try path(start + 40, 0..<count, size, damage)))
    case 3, 5:
      guard let parts = shapes.little(start + 36), let count = shapes.little(start + 40),
        parts >= 0, count >= 0, count <= Self.maximumVertices, 44 + parts * 4 + count * 16 <= size
      else { throw damage }
      var starts = (0..<parts).compactMap { shapes.little(start + 44 + $0 * 4) }
      starts.append(count)
      guard zip(starts, starts.dropFirst()).allSatisfy({ $0 >= 0 && $0 <= $1 }),
        starts.allSatisfy({ $0 <= count })
      else { throw damage }
      let points = start + 44 + parts * 4
      let zs =
        hasHeights && 44 + parts * 4 + count * 24 + 16 <= size ? points + count * 16 + 16 : nil
      var paths: [Path] = []
      for (first, last) in zip(starts, starts.dropFirst()) {
        var path = try path(points, first..<last, size, damage)
        if let zs { path.z = (first..<last).map { shapes.double(zs + $0 * 8) ?? .nan } }
        paths.append(path)
      }
      return type % 10 == 3
        ? .polyline(Polyline(paths: paths)) : .polygon(Polygon(arranging: paths))
    default: throw damage
    }
  }

  private func path(
    _ points: Int, _ range: Range<Int>, _ size: Int, _ damage: FeatureStoreError
  ) throws(FeatureStoreError) -> Path {
    var coordinates: [Coordinate] = []
    coordinates.reserveCapacity(range.count)
    for index in range {
      guard let x = shapes.double(points + index * 16),
        let y = shapes.double(points + index * 16 + 8)
      else { throw damage }
      coordinates.append(Coordinate(x: x, y: y))
    }
    return Path(coordinates)
  }
}
