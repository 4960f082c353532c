import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanMap
import PortolanPackages

/// Files that take long to open or to draw.
enum LargeFile: String, CaseIterable, Codable, Sendable {
  /// A mobile map package as a folder of 100,000 files.
  case folder
  /// A mobile map package as an archive of 100,000 entries.
  case archive
  /// A geodatabase with 200,000 points.
  case features

  /// Makes it.
  @concurrent func make(in folder: URL) async throws -> URL {
    switch self {
    case .folder: try Self.folder(at: folder.appending(path: "large"))
    case .archive: try Self.archive(at: folder.appending(path: "large.mmpk"))
    case .features: try Self.geodatabase(at: folder.appending(path: "large.geodatabase"))
    }
  }

  /// A package with a map of no layers.
  private static var package: MobileMapPackageWriter {
    MobileMapPackageWriter(
      MobileMapPackageDescription(name: "large", guid: UUID(), created: .distantPast),
      maps: [NewMobileMap(name: "Map", id: UUID(), webMap: WebMap(basemap: Basemap(title: "")))])
  }

  private static let names = (0..<100_000).map { "p13/parts/\($0 / 1_000)/\($0)" }

  private static func folder(at url: URL) throws -> URL {
    try package.writeFolder(to: url)
    var made: Set<String> = []
    for name in names {
      let file = url.appending(path: name)
      let folder = file.deletingLastPathComponent()
      if made.insert(folder.path()).inserted {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      try Data().write(to: file)
    }
    return url
  }

  private static func archive(at url: URL) throws -> URL {
    let small = url.deletingLastPathComponent().appending(path: "small")
    try package.writeFolder(to: small)
    let root = small.path(percentEncoded: false)
    var archive = try ZIPWriter(replacing: url)
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
      let file = small.appending(path: path)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      try archive.add(path, try Data(contentsOf: file))
    }
    for name in names { try archive.add(name, Data()) }
    try archive.finish()
    return url
  }

  private static func geodatabase(at url: URL) throws -> URL {
    let schema = FeatureTableSchema(
      name: "places", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID), Field("NAME", .string)], displayField: "NAME")
    let fields = FieldList(schema.fields)
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "large", tables: [.init(schema)]), now: .distantPast
    ) { UUID() }
    for number: Int in 0..<200_000 {
      let values: [AttributeValue] = [.integer(Int64(number + 1)), .text("place \(number)")]
      let place = Point(x: Double(number % 600) / 10, y: Double(number / 600) / 10)
      try writer.append(
        Feature(
          objectID: Int64(number + 1), attributes: Attributes(fields, values),
          geometry: .point(place)), to: "places")
    }
    try writer.finish()
    return url
  }
}
