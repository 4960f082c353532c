internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// Packs tiles of a service into a file.
protocol TileExporter: Sendable {
  /// The tiles.
  var renderer: any TileRenderer { get }
  /// The name of the service and the operations it allows.
  var options: TileServiceOptions { get }

  /// Packs the tiles that a request asks for, and says how the file is called.
  func package(_ request: TileExportRequest) throws -> (name: String, data: Data)
}

extension TileExporter {
  /// The number of tiles that a request asks for.
  ///
  /// Those of a polygon are counted one by one, unless its box alone is far beyond what is exported.
  func count(_ request: TileExportRequest) -> Int {
    request.ranges(of: renderer).reduce(0) { sum, range in
      let isFew = request.area != nil && range.count <= 4 * options.maxExportTilesCount
      let count = isFew ? range.count { request.wants($0, of: renderer) } : range.count
      let (total, overflows) = sum.addingReportingOverflow(count)
      return overflows ? .max : total
    }
  }

  /// The failure of an export of too many tiles, or of none.
  func refusal(_ request: TileExportRequest) -> DemoFailure? {
    let count = count(request)
    if count == 0 {
      return DemoFailure(code: 400, "No tiles lie in the export extent.")
    }
    guard count > options.maxExportTilesCount else { return nil }
    return DemoFailure(
      code: 400,
      "Requested tile count (\(count)) exceeds the maximum allowed number of tiles "
        + "(\(options.maxExportTilesCount)) to be exported for service \(options.name).")
  }

  /// The number of tiles, and their approximate size in bytes.
  func estimate(_ request: TileExportRequest) throws -> (size: Int, count: Int) {
    let count = count(request)
    var sample: [Int] = []
    for range in request.ranges(of: renderer) {
      for id in range.prefix(4) {
        if let tile = try renderer.tile(at: id) { sample.append(tile.count) }
      }
    }
    guard !sample.isEmpty else { return (0, count) }
    let (size, overflows) = (sample.reduce(0, +) / sample.count)
      .multipliedReportingOverflow(by: count)
    return (overflows ? .max : size, count)
  }

  /// The tiles that a request asks for, one after the other.
  func forEachTile(
    _ request: TileExportRequest, _ body: (Data, TileID) throws -> Void
  ) throws {
    for range in request.ranges(of: renderer) {
      for id in range where request.wants(id, of: renderer) {
        try Task.checkCancellation()
        if let tile = try renderer.tile(at: id) { try body(tile, id) }
      }
    }
  }

  /// The bytes of a file that `write` makes.
  func contents(
    _ fileExtension: String, _ write: (URL) throws -> Void
  ) throws -> Data {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "portolan-demo-\(UUID().uuidString).\(fileExtension)")
    // Nothing but this function knows the file; the system empties the folder as well.
    defer { try? FileManager.default.removeItem(at: file) }
    try write(file)
    return try Data(contentsOf: file)
  }
}

/// Packs pictures as `.tpk` or `.tpkx`.
struct PictureExporter: TileExporter {
  let renderer: any TileRenderer
  let options: TileServiceOptions

  func package(_ request: TileExportRequest) throws -> (name: String, data: Data) {
    let layout: TilePackageLayout = request.storage == .compactV2 ? .tpkx : .tpk
    let degrees = try Projection(from: renderer.scheme.spatialReference, to: .wgs84)
    let description = TilePackageDescription(
      name: options.name, title: options.name, summary: options.summary, tags: ["demo"],
      accessInformation: DemoContent.pictureCredits, scheme: renderer.scheme,
      fullExtent: request.extent,
      geographicExtent: try degrees.project(request.extent), format: "PNG32",
      // It is recorded; tiles without losses have none.
      compressionQuality: max(request.quality, 0))
    let data = try contents(layout.rawValue) { file in
      var writer = try TilePackageWriter(at: file, description, layout: layout)
      try forEachTile(request) { tile, id in try writer.add(tile, at: id) }
      try writer.finish()
    }
    return ("\(options.name).\(layout.rawValue)", data)
  }
}
