internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A shapefile that is being made of one table: `.shp`, `.shx`, `.dbf`, `.prj` and `.cpg`.
///
/// The `.shp` appears last, when the others are in their places.
final class ShapefileTarget: FeatureStoreWriter {
  /// What the lengths in the files can say.
  private static let maximumSize = Int(Int32.max)

  /// The files that are written beside the `.shp` of that name.
  static func companions(of url: URL) -> [URL] {
    ["shx", "dbf", "cpg", "prj"].map { companion(of: url, $0) }
  }

  private static func companion(of url: URL, _ ending: String) -> URL {
    url.deletingPathExtension().appendingPathExtension(ending)
  }

  private let url: URL
  private let table: FeatureTableSchema
  private let type: Int
  private let reference: SpatialReference?
  private var rows: DBaseWriter
  private var shapes: StagedFile?
  private var rowFile: StagedFile?
  private var index: [UInt8] = []
  private var size = 100
  private var extent = Envelope.empty
  private var pending = Data()

  /// Begins the files.
  init(at url: URL, _ table: FeatureTableSchema) throws {
    self.url = url
    self.table = table
    type =
      switch table.geometryType {
      case .point?: 1
      case .polyline?: 3
      case .polygon?, .envelope?: 5
      case .multipoint?: 8
      case nil: 0
      }
    reference = table.geometryType == nil ? nil : table.spatialReference
    rows = DBaseWriter(table)
    shapes = try StagedFile(replacing: url)
    rowFile = try StagedFile(replacing: Self.companion(of: url, "dbf"))
    // The header is known at the end.
    try shapes?.write(Data(count: 100))
    try rowFile?.write(rows.header)
  }

  func append(
    _ feature: Feature, to name: String, attachments: [NewAttachment]
  ) throws -> String? {
    if let refusal = table.refusal(of: feature.geometry) { return refusal }
    let content = record(feature.geometry)
    guard size + content.count + 8 < Self.maximumSize else {
      return "a shapefile holds no more than 2 GB"
    }
    let number = rows.count + 1
    index += Self.big(size / 2) + Self.big(content.count / 2)
    pending += Data(Self.big(number) + Self.big(content.count / 2))
    pending += Data(content)
    size += content.count + 8
    if let box = feature.geometry?.extent { extent = extent.union(box) }
    rows.add(feature)
    if max(pending.count, rows.pendingByteCount) > 1 << 20 { try flush() }
    return nil
  }

  func finish(replacing replaces: Bool) throws -> [Omission] {
    try flush()
    try shapes?.overwrite(Data(header(size)), at: 0)
    try rowFile?.write(DBaseWriter.end)
    // How many rows there are is known now.
    try rowFile?.overwrite(rows.header, at: 0)
    var written: [URL] = []
    do {
      for (ending, data) in companions() {
        let file = Self.companion(of: url, ending)
        try FileSystem.live.write(data, to: file, replacing: replaces)
        written.append(file)
      }
      try rowFile.take()?.commit(replacing: replaces)
      written.append(Self.companion(of: url, "dbf"))
      try shapes.take()?.commit(replacing: replaces)
    } catch FileError.alreadyExists(let file) {
      // They are of no use beside other shapes; where they stay, they do no harm.
      for file in written { try? FileSystem.live.erase(file) }
      throw FileError.alreadyExists(file: file)
    }
    return rows.omissions
  }

  /// The contents of the small files beside the `.shp`, by their endings.
  private func companions() -> [(ending: String, data: Data)] {
    var companions = [
      ("shx", Data(header(100 + index.count) + index)), ("cpg", Data("UTF-8".utf8)),
    ]
    // A reference without a definition leaves the file without one.
    if let text = try? reference?.esriWellKnownText() {
      companions.append(("prj", Data(text.utf8)))
    }
    return companions
  }

  private func flush() throws(FileError) {
    try shapes?.write(pending)
    pending = Data()
    try rowFile?.write(rows.takeRows())
  }

  // MARK: - Shapes

  private func header(_ size: Int) -> [UInt8] {
    let box: [Double] =
      extent.isEmpty ? [0, 0, 0, 0] : [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    var bytes = Self.big(9994)
    bytes += [UInt8](repeating: 0, count: 20)
    bytes += Self.big(size / 2)
    bytes += Self.little(1000)
    bytes += Self.little(type)
    for side in box + [0, 0, 0, 0] { bytes += Self.double(side) }
    return bytes
  }

  private func record(_ geometry: Geometry?) -> [UInt8] {
    guard let geometry, let box = geometry.extent, !box.isEmpty else { return Self.little(0) }
    var bounds: [UInt8] = []
    for side in [box.xMin, box.yMin, box.xMax, box.yMax] { bounds += Self.double(side) }
    switch (geometry, type) {
    case (.point(let point), 1):
      return Self.little(1) + Self.double(point.x) + Self.double(point.y)
    case (.multipoint(let points), 8):
      var bytes = Self.little(8) + bounds
      bytes += Self.little(points.points.coordinates.count)
      for place in points.points.coordinates { bytes += Self.place(place) }
      return bytes
    case (.polyline(let line), 3): return paths(line.paths, 3, bounds)
    // Outlines turn the other way round in shapefiles.
    case (.polygon(let polygon), 5): return paths(polygon.rings, 5, bounds, isReversed: true)
    case (.envelope(let envelope), 5):
      return paths(envelope.polygon.rings, 5, bounds, isReversed: true)
    default: return Self.little(0)
    }
  }

  private func paths(
    _ paths: [Path], _ type: Int, _ bounds: [UInt8], isReversed: Bool = false
  ) -> [UInt8] {
    let count = paths.reduce(0) { $0 + $1.coordinates.count }
    var bytes = Self.little(type) + bounds
    bytes += Self.little(paths.count)
    bytes += Self.little(count)
    bytes.reserveCapacity(bytes.count + paths.count * 4 + count * 16)
    var start = 0
    for path in paths {
      bytes += Self.little(start)
      start += path.coordinates.count
    }
    for path in paths {
      for place in isReversed ? path.coordinates.reversed() : path.coordinates {
        bytes += Self.place(place)
      }
    }
    return bytes
  }

  private static func place(_ place: Coordinate) -> [UInt8] { double(place.x) + double(place.y) }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * (3 - $0))) }
  }

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func double(_ number: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
  }
}
