internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry

/// The content of a file that remembers a folder.
///
/// A word, the version and a checksum of the rest; then the folder, and each file with its name,
/// its state and what it is. Numbers are little-endian, of eight bytes; texts are UTF-8 with their
/// length before them.
struct PackageSummaryCacheDocument {
  let folder: String
  let records: [String: PackageRecord]

  /// The magic bytes of the file; another version has others.
  private static let magic = Data("PTLNPKG1".utf8)

  init(folder: String, records: [String: PackageRecord]) {
    self.folder = folder
    self.records = records
  }

  /// Reads a document; `nil` if it is none, of another version, or damaged.
  init?(_ data: Data) {
    let content = data.dropFirst(Self.magic.count + 8)
    guard data.starts(with: Self.magic), data.count >= Self.magic.count + 8 else { return nil }
    var header = PackageSummaryCacheReader(data.dropFirst(Self.magic.count).prefix(8))
    do {
      guard try header.integer() == Self.checksum(content) else { return nil }
      self = try Self.document(content)
    } catch {
      // A truncated document is damaged.
      return nil
    }
  }

  private static func document(_ data: Data) throws -> PackageSummaryCacheDocument {
    var reader = PackageSummaryCacheReader(data)
    let folder = try reader.text()
    var records: [String: PackageRecord] = [:]
    let count = try reader.count()
    records.reserveCapacity(count)
    for _ in 0..<count {
      let name = try reader.text()
      let stamp = FileStamp(
        size: try reader.integer(), number: UInt64(bitPattern: try reader.integer()),
        modified: try reader.integer(), changed: try reader.integer())
      records[name] = PackageRecord(stamp: stamp, finding: try reader.finding())
    }
    return PackageSummaryCacheDocument(folder: folder, records: records)
  }

  /// The bytes of the file.
  var data: Data {
    var writer = PackageSummaryCacheWriter()
    writer.add(folder)
    writer.add(Int64(records.count))
    for (name, record) in records.sorted(by: { $0.key < $1.key }) {
      writer.add(name)
      writer.add(record.stamp.size)
      writer.add(Int64(bitPattern: record.stamp.number))
      writer.add(record.stamp.modified)
      writer.add(record.stamp.changed)
      writer.add(record.finding)
    }
    var header = PackageSummaryCacheWriter(Self.magic)
    header.add(Self.checksum(writer.data))
    return header.data + writer.data
  }

  private static func checksum(_ data: Data) -> Int64 {
    var checksum = CRC32()
    data.withUnsafeBytes { checksum.add($0) }
    return Int64(checksum.value)
  }
}

/// Encodes the contents of a cache.
private struct PackageSummaryCacheWriter {
  var data: Data

  init(_ data: Data = Data()) { self.data = data }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
  }

  mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    data.append(contentsOf: text.utf8)
  }

  mutating func add(_ finding: PackageFolder.Finding) {
    switch finding {
    case .other: add(0)
    case .damaged(let reason):
      add(1)
      add(reason)
    case .package(let summary):
      add(2)
      add(summary)
    }
  }

  private mutating func add(_ summary: PackageSummary) {
    add(summary.kind.rawValue)
    add(summary.title)
    add(Int64(summary.maps.count))
    for map in summary.maps { add(map) }
    add(Int64(summary.layers.count))
    for layer in summary.layers {
      add(layer.name)
      add(layer.extent)
    }
    add(Int64(summary.levels?.lowerBound ?? -1))
    add(Int64(summary.levels?.upperBound ?? -1))
    add(summary.extent)
  }

  private mutating func add(_ extent: PackageSummary.Extent?) {
    guard let extent else { return add(0) }
    add(1)
    let envelope = extent.envelope
    for edge in [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax] {
      add(Int64(bitPattern: edge.bitPattern))
    }
    add(Int64(extent.wkid ?? 0))
  }
}
