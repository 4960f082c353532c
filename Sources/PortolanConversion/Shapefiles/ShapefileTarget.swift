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
  private let reference: SpatialReference?
  private var encoder: ShapefileEncoder
  private var rows: DBaseWriter
  private var shapes: StagedFile?
  private var rowFile: StagedFile?
  private var index: [UInt8] = []
  private var size = 100
  private var pending = Data()

  /// Begins the files.
  init(at url: URL, _ table: FeatureTableSchema) throws {
    self.url = url
    self.table = table
    encoder = ShapefileEncoder(table)
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
    let content = encoder.record(feature.geometry)
    guard size + content.count + 8 < Self.maximumSize else {
      return "a shapefile holds no more than 2 GB"
    }
    let number = rows.count + 1
    index += ShapefileEncoder.big(size / 2) + ShapefileEncoder.big(content.count / 2)
    pending += Data(ShapefileEncoder.big(number) + ShapefileEncoder.big(content.count / 2))
    pending += Data(content)
    size += content.count + 8
    rows.add(feature)
    if max(pending.count, rows.pendingByteCount) > 1 << 20 { try flush() }
    return nil
  }

  func finish(replacing replaces: Bool) throws -> [Omission] {
    try flush()
    try shapes?.overwrite(Data(encoder.header(size)), at: 0)
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
    // Until the new .shp was in its place they were those of the old one.
    if replaces { try eraseLeftovers(beside: written) }
    return rows.omissions
  }

  /// The contents of the small files beside the `.shp`, by their endings.
  private func companions() -> [(ending: String, data: Data)] {
    var companions = [
      ("shx", Data(encoder.header(100 + index.count) + index)), ("cpg", Data("UTF-8".utf8)),
    ]
    // A reference without a definition leaves the file without one.
    if let text = reference?.projectionFileText {
      companions.append(("prj", Data(text.utf8)))
    }
    return companions
  }

  /// What files may have beside them that is wrong of others: what coordinates mean, and where shapes are.
  private static let leftovers = ["prj", "qix", "sbn", "sbx"]

  /// Removes what belongs to the file that is replaced and was not written anew.
  private func eraseLeftovers(beside written: [URL]) throws(FileError) {
    let endings = Set(written.map { $0.pathExtension })
    let others = Self.leftovers.filter { !endings.contains($0) }
    for ending in others + others.map({ $0.uppercased() }) {
      let file = Self.companion(of: url, ending)
      // A folder of that name is no part of a shapefile.
      guard try FileStatus(at: file)?.kind != .folder else { continue }
      try FileSystem.live.erase(file)
    }
  }

  private func flush() throws(FileError) {
    try shapes?.write(pending)
    pending = Data()
    try rowFile?.write(rows.takeRows())
  }
}
