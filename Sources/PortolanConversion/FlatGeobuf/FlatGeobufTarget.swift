internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A FlatGeobuf file that is being made of one table, without an index of places.
///
/// - SeeAlso: [FlatGeobuf](https://flatgeobuf.org)
final class FlatGeobufTarget: FeatureStoreWriter {
  /// How much is written at once, in bytes.
  private static let pieceSize = 1 << 20

  private let table: FeatureTableSchema
  private let columns: [FlatGeobufColumn]
  private let kind: FlatGeobufShape.Kind
  private let crs: FlatTableContents?
  private var file: StagedFile?
  private var pending: [UInt8] = []
  private var count = 0
  private var extent = Envelope.empty
  /// The rows whose values have no place in their columns, by the names of those.
  private var lost: [String: Int] = [:]

  /// Begins a file.
  init(at url: URL, _ table: FeatureTableSchema) throws {
    self.table = table
    columns = table.fields.compactMap { field in
      FlatGeobufColumn.kind(of: field.type).map {
        FlatGeobufColumn(
          name: field.name, alias: field.alias == field.name ? nil : field.alias, kind: $0)
      }
    }
    kind = table.mayMixShapes ? .unknown : FlatGeobufShape.Kind(of: table.geometryType)
    crs = table.geometryType == nil ? nil : table.spatialReference.flatMap(Self.crs)
    file = try StagedFile(replacing: url)
    // How many rows there are, and where, is known at the end.
    pending = FlatGeobufReader.mark + [0] + header
  }

  /// The metadata of the file, in as many bytes whatever it says about its rows.
  private var header: [UInt8] {
    var header = FlatTableContents()
    header.set(0, .text(table.name))
    let box =
      extent.isEmpty ? [0, 0, 0, 0] : [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    header.set(1, .doubles(box))
    header.set(2, .number(UInt64(kind.rawValue), size: 1))
    header.set(3, .number(table.hasZ ? 1 : 0, size: 1))
    header.set(4, .number(table.hasM ? 1 : 0, size: 1))
    header.set(
      7,
      .tables(
        columns.map { column in
          var table = FlatTableContents()
          table.set(0, .text(column.name))
          table.set(1, .number(UInt64(column.kind.rawValue), size: 1))
          table.set(2, column.alias.map { .text($0) })
          return table
        }))
    header.set(8, .number(UInt64(count), size: 8))
    header.set(9, .number(0, size: 2))
    header.set(10, crs.map { .table($0) })
    return header.sizedBuffer
  }

  private static func crs(_ reference: SpatialReference) -> FlatTableContents? {
    let known = reference.registered()
    // What has no definition in the form of files, such as degrees with heights, has its number all the same.
    let number = reference.wkt == nil ? known?.id ?? reference.currentWKID : known?.id
    guard number != nil || reference.wkt != nil else { return nil }
    var crs = FlatTableContents()
    crs.set(0, (known?.authority).map { .text($0) })
    crs.set(1, number.map { .number(UInt64($0), size: 4) })
    crs.set(2, (known?.name).map { .text($0) })
    crs.set(4, (known?.wellKnownText ?? reference.wkt).map { .text($0) })
    return crs
  }

  func append(
    _ feature: Feature, to name: String, attachments: [NewAttachment]
  ) throws -> String? {
    if kind != .unknown || table.geometryType == nil,
      let refusal = table.refusal(of: feature.geometry)
    {
      return refusal
    }
    var row = FlatTableContents()
    row.set(
      0,
      feature.geometry.flatMap {
        FlatGeobufShape.table($0, kind, hasZ: table.hasZ, hasM: table.hasM)
      }.map { .table($0) })
    row.set(1, .bytes(properties(of: feature)))
    pending += row.sizedBuffer
    count += 1
    if let box = feature.geometry?.extent { extent = extent.union(box) }
    if pending.count >= Self.pieceSize { try flush() }
    return nil
  }

  private func properties(of feature: Feature) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, column) in columns.enumerated() {
      guard let value = feature.attributes[column.name], value != .null else { continue }
      guard let content = column.bytes(value) else {
        lost[column.name, default: 0] += 1
        continue
      }
      bytes.add(UInt64(number), size: 2)
      bytes += content
    }
    return bytes
  }

  func finish(replacing replaces: Bool) throws -> [Omission] {
    try flush()
    try file?.overwrite(Data(header), at: FlatGeobufReader.mark.count + 1)
    try file.take()?.commit(replacing: replaces)
    return lost.sorted { $0.key < $1.key }.map {
      Omission(table: table.name, .values(field: $0.key, rowCount: $0.value))
    }
  }

  private func flush() throws(FileError) {
    try file?.write(Data(pending))
    pending = []
  }
}
