internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// The plan of a tile conversion, made before the first tile is copied: the tiles, their target
/// addresses, and their extent.
struct TileConversionPlan: Sendable {
  let conversion: TileConversion
  /// The target addresses of tiles; `nil` where addresses stay as they are.
  private let quad: WebMercatorQuad?
  /// How many tiles there are to copy.
  private(set) var total = 0
  /// The extent of the tiles of the coarsest level.
  private(set) var extent: Envelope?
  /// The summary of the result.
  private(set) var summary = TileConversionSummary()
  /// The numbers of the tiles in the new file, in order, where the order counts.
  private var numbers: [Int] = []
  private var leftOut: [Int: Int] = [:]
  private var coarsest: Int?

  /// Lists the tiles of the source.
  init(_ conversion: TileConversion) async throws(TileError) {
    self.conversion = conversion
    let scheme = conversion.source.info.scheme
    quad = conversion.format.isWebMercatorQuad ? WebMercatorQuad(matching: scheme) : nil
    guard quad?.isEmpty != true else { throw Self.wrongScheme(conversion) }
    try await Self.checkCount(of: conversion.source)
    do {
      for try await id in conversion.source.tileIDs { try add(id, scheme) }
    } catch {
      guard case .damaged = error else { throw error }
      summary.add(error)
    }
    guard total > 0 else { throw noTiles }
    numbers.sort()
    describe()
  }

  /// The addresses of the tiles in the source, in the order in which they are best written.
  var tileIDs: TileIDs {
    guard conversion.format == .pmtiles, let quad else { return conversion.source.tileIDs }
    let (numbers, size) = (numbers, 4_096)
    return TileIDs(in: Array(stride(from: 0, to: numbers.count, by: size))) { start in
      numbers[start..<min(start + size, numbers.count)].compactMap { number in
        quad.source(of: PMTilesID.tile(number))
      }
    }
  }

  /// The address of a tile in the new file; `nil` if that has no such address.
  func target(of id: TileID) -> TileID? {
    guard let quad else { return id }
    return quad.tile(for: id)
  }

  /// Refuses a source of more tiles than are copied, before they are listed one by one.
  static func checkCount(of source: any TileSource) async throws(TileError) {
    let counts: [Int: Int]
    do { counts = try await source.tileCounts() } catch {
      // A damaged index is counted as far as it is listed.
      guard case .damaged = error else { throw error }
      return
    }
    try check(counts.values.reduce(0, +), of: source)
  }

  private static func check(_ count: Int, of source: any TileSource) throws(TileError) {
    guard count <= TileConversion.maximumCount else {
      throw .tooManyTiles(
        file: source.info.name, count: count, limit: TileConversion.maximumCount)
    }
  }

  private mutating func add(_ id: TileID, _ scheme: TileScheme) throws(TileError) {
    try Self.check(total, of: conversion.source)
    guard let target = target(of: id) else {
      leftOut[id.level, default: 0] += 1
      return
    }
    total += 1
    if conversion.format == .pmtiles, let number = PMTilesID.number(of: target) {
      numbers.append(number)
    }
    let isCoarser = coarsest.map { target.level < $0 } ?? true
    guard isCoarser || target.level == coarsest, let ground = scheme.envelope(of: id) else {
      return
    }
    extent = isCoarser ? ground : extent?.union(ground)
    coarsest = target.level
  }

  private mutating func describe() {
    if !leftOut.isEmpty {
      summary.limitations.append(
        .levelsLeftOut(Set(leftOut.keys), tileCount: leftOut.values.reduce(0, +)))
    }
    guard let quad else { return }
    let levels = conversion.source.info.scheme.levels.map(\.level)
    let renumbered = levels.compactMap { level in
      quad.level(for: level).flatMap { $0 == level ? nil : (level, $0) }
    }
    if !renumbered.isEmpty {
      summary.limitations.append(
        .levelsRenumbered(Dictionary(renumbered, uniquingKeysWith: { first, _ in first })))
    }
  }

  private var noTiles: TileError {
    if let damage = summary.damages.first { return damage }
    if !leftOut.isEmpty { return Self.wrongScheme(conversion) }
    return .noTiles(file: conversion.source.info.name)
  }

  private static func wrongScheme(_ conversion: TileConversion) -> TileError {
    .cannotHold(
      file: conversion.target.lastPathComponent,
      reason: "those of \"\(conversion.source.info.name)\" are none of the Web Mercator "
        + "pyramid, and a .\(conversion.format.rawValue) file has only such")
  }
}
