internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A GeoJSON file that is being made of one table.
final class GeoJSONTarget: FeatureStoreWriter {
  private var file: StagedFile?
  private var writer: GeoJSONFeatureCollectionWriter
  private let projection: Projection?
  private var pending = ""

  /// How much is written at once, in bytes.
  private static let pieceSize = 1 << 18

  /// Begins a file.
  ///
  /// - Throws: ``FileError`` if the file cannot be made, ``GeometryError`` if the coordinates
  ///   cannot be brought to WGS 84.
  init(
    at url: URL, _ table: FeatureTableSchema, coordinates: Conversion.Coordinates
  ) throws {
    let native = table.geometryType == nil ? nil : table.spatialReference
    projection =
      switch (coordinates, native) {
      case (.native, _), (.wgs84, nil): nil
      case (.wgs84, let native?): try Projection(from: native, to: .wgs84)
      }
    writer = GeoJSONFeatureCollectionWriter(
      name: table.name, spatialReference: projection == nil ? native : nil)
    file = try StagedFile(replacing: url)
    pending = writer.opening
  }

  func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment]
  ) throws -> String? {
    var feature = feature
    if let projection, let geometry = feature.geometry {
      do { feature.geometry = try projection.project(geometry) } catch {
        return error.plainReason
      }
    }
    pending += writer.text(of: feature)
    if pending.utf8.count >= Self.pieceSize { try flush() }
    return nil
  }

  func finish() throws -> [Omission] {
    pending += writer.closing
    try flush()
    try file.take()?.commit()
    return []
  }

  private func flush() throws(FileError) {
    try file?.write(Data(pending.utf8))
    pending = ""
  }
}
