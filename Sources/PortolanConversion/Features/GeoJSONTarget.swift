internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A GeoJSON file that is being made of one table.
final class GeoJSONTarget: FeatureStoreWriter {
  private var file: StagedFile?
  private var writer: GeoJSONFeatureCollectionWriter
  private var pending = ""
  private let table: String
  /// How many rows have numbers that JSON does not, by their fields.
  private var lost: [String: Int] = [:]

  /// How much is written at once, in bytes.
  private static let pieceSize = 1 << 18

  /// Begins a file.
  ///
  /// - Throws: ``FileError`` if the file cannot be made.
  init(at url: URL, _ table: FeatureTableSchema) throws {
    self.table = table.name
    writer = GeoJSONFeatureCollectionWriter(
      name: table.name,
      spatialReference: table.geometryType == nil ? nil : table.spatialReference)
    file = try StagedFile(replacing: url)
    pending = writer.opening
  }

  func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment]
  ) throws -> String? {
    for (field, value) in zip(feature.attributes.fields, feature.attributes.values)
    where value.isInfinite { lost[field.name, default: 0] += 1 }
    pending += writer.text(of: feature)
    if pending.utf8.count >= Self.pieceSize { try flush() }
    return nil
  }

  func finish(replacing replaces: Bool) throws -> [Omission] {
    pending += writer.closing
    try flush()
    try file.take()?.commit(replacing: replaces)
    return lost.sorted { $0.key < $1.key }.map {
      Omission(table: table, .values(field: $0.key, rowCount: $0.value))
    }
  }

  private func flush() throws(FileError) {
    try file?.write(Data(pending.utf8))
    pending = ""
  }
}
