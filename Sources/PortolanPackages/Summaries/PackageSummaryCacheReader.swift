internal import Foundation
internal import PortolanGeometry

/// Decodes the contents of a cache; whatever is missing is an error.
struct PackageSummaryCacheReader {
  /// The end of the bytes, or what cannot be.
  struct Damage: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ data: Data) { bytes = Array(data) }

  mutating func integer() throws(Damage) -> Int64 {
    guard bytes.count - place >= 8 else { throw Damage() }
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(bytes[place + index]) << (8 * index) }
    place += 8
    return Int64(bitPattern: bits)
  }

  /// A count of things that take a byte each at least.
  mutating func count() throws(Damage) -> Int {
    let number = try integer()
    guard number >= 0, number <= bytes.count - place else { throw Damage() }
    return Int(number)
  }

  mutating func text() throws(Damage) -> String {
    let length = try count()
    defer { place += length }
    return String(decoding: bytes[place..<place + length], as: UTF8.self)
  }

  mutating func finding() throws(Damage) -> PackageFolder.Finding {
    switch try integer() {
    case 0: return .other
    case 1: return .damaged(reason: try text())
    case 2: return .package(try summary())
    default: throw Damage()
    }
  }

  private mutating func summary() throws(Damage) -> PackageSummary {
    guard let kind = FileKind(rawValue: try text()) else { throw Damage() }
    var summary = PackageSummary(kind: kind, title: try text())
    for _ in 0..<(try count()) { summary.maps.append(try text()) }
    for _ in 0..<(try count()) {
      summary.layers.append(PackageSummary.Layer(name: try text(), extent: try extent()))
    }
    let (low, high) = (Int(try integer()), Int(try integer()))
    if low >= 0, high >= low { summary.levels = low...high }
    summary.extent = try extent()
    return summary
  }

  private mutating func extent() throws(Damage) -> PackageSummary.Extent? {
    guard try integer() == 1 else { return nil }
    var edges: [Double] = []
    for _ in 0..<4 { edges.append(Double(bitPattern: UInt64(bitPattern: try integer()))) }
    let wkid = Int(try integer())
    return PackageSummary.Extent(
      Envelope(xMin: edges[0], yMin: edges[1], xMax: edges[2], yMax: edges[3]),
      wkid: wkid == 0 ? nil : wkid)
  }
}
