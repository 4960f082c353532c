internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// Writes a few rows into a geodatabase that is not kept, to see how large it becomes.
struct GeodatabaseProbe: Sendable {
  /// What an attachment takes beside its bytes.
  static let attachmentHead = 400
  /// To so many rows a sample is repeated, so that the rest of the last page of an index does not count.
  private static let writtenRows = 1000
  /// How many bytes are written of a layer at most, about.
  private static let writtenBytes = 2 << 20

  /// What a geodatabase takes.
  struct Sizes {
    /// The bytes without rows.
    var empty: Int
    /// The bytes of a row, for each sample.
    var rows: [Double]
  }

  let layers: [(schema: FeatureTableSchema, drawingInfo: JSONValue?)]
  let now: @Sendable () -> Date
  let makeID: @Sendable () -> UUID

  /// How large a geodatabase becomes by the rows of some layers; `nil` if it cannot be written.
  @concurrent func sizes(of samples: [FeatureEstimate.Sample]) async -> Sizes? {
    do {
      let empty = try size()
      let rows = try samples.map { sample -> Double in
        let copies = copies(of: sample)
        let growth = max(0, try size(with: copies, in: sample.table) - empty)
        return Double(growth) / Double(copies.count)
      }
      return Sizes(empty: empty, rows: rows)
    } catch {
      // A full disk, or rows that no geodatabase holds: then the size is unknown.
      return nil
    }
  }

  /// The rows of a sample again and again, up to those that there are.
  private func copies(of sample: FeatureEstimate.Sample) -> [Feature] {
    let bytes = sample.features.reduce(0) { sum, feature in
      sum + 16 * (feature.geometry?.paths.reduce(0) { $0 + $1.coordinates.count } ?? 0) + 200
    }
    let most = max(1, Self.writtenBytes / max(1, bytes))
    let count = min(sample.count, Self.writtenRows, most * sample.features.count)
    let ids = layers.first { $0.schema.name == sample.table }?.schema.globalIDField
    return (0..<max(1, count)).map { number in
      var feature = sample.features[number % sample.features.count]
      feature.objectID = 0
      if let ids { feature.attributes[ids] = .null }
      return feature
    }
  }

  private func size(with features: [Feature] = [], in table: String = "") throws -> Int {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "portolan-estimate-\(makeID().uuidString).geodatabase")
    // The file is private; the system empties the folder as well.
    defer { try? FileManager.default.removeItem(at: file) }
    let definition = GeodatabaseDefinition(
      name: "Estimate",
      tables: layers.map { layer in
        GeodatabaseDefinition.Table(
          layer.schema, drawingInfo: layer.drawingInfo,
          shapeField: layer.schema.shapeFieldInGeodatabase)
      })
    let writer = try GeodatabaseWriter(
      at: file, definition, now: now(), makeID: makeID)
    for feature in features { try writer.append(feature, to: table) }
    try writer.finish()
    return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
