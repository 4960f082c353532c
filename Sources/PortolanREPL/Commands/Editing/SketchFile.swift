internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

/// A file that holds one shape.
struct SketchFile {
  /// The most that is read, in bytes.
  static let greatestSize = 64 << 20

  let url: URL

  /// The shape: GeoJSON (a geometry or a feature) in degrees unless it is said to be native, or
  /// Esri JSON in the reference that it names.
  func sketch(isNative: Bool) throws -> Sketch {
    try Self.sketch(from: contents(), isNative: isNative)
  }

  /// The shape in bytes that were read; see ``sketch(isNative:)``.
  static func sketch(from data: Data, isNative: Bool) throws -> Sketch {
    let json = try JSONValue(parsing: data)
    let object = json.object ?? [:]
    let part = object["geometry"] ?? json
    if object["type"]?.string != nil {
      return .shape(try Geometry(geoJSON: part), isNative ? nil : .wgs84)
    }
    let reference = part.object?["spatialReference"].flatMap(SpatialReference.init(esriJSON:))
    return .shape(try Geometry(esriJSON: part), reference ?? (isNative ? nil : .wgs84))
  }

  private func contents() throws -> Data {
    let path = url.relativePath
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw Failure(.noSuchFile, "There is no file \(path).", file: path, status: .notFound)
    }
    let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    guard size <= Self.greatestSize else {
      throw Failure(
        .unreadable, "\(path) holds \(ByteCount.text(size)), too much for one shape.", file: path)
    }
    return try Data(contentsOf: url)
  }
}
