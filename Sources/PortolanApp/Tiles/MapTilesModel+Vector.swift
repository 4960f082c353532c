public import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages

extension MapTilesModel {
  /// Writes the features of the layers that are on as vector tiles, with the style of the map.
  ///
  /// - Parameters:
  ///   - url: The file: `.pmtiles` or `.mbtiles`, with the style beside it, or `.vtpk`.
  ///   - options: Which tiles; the pixels along a point do not count.
  ///   - replaces: Whether an existing file is replaced.
  ///   - progress: Gets every report, one by one, and is finished at the end.
  /// - Returns: What was written.
  /// - Throws: A problem if the map has no features, or the tiles cannot be written there.
  @discardableResult
  public func saveVectors(
    to url: URL, _ options: Options = Options(), replaces: Bool = false,
    progress: AsyncStream<WorkProgress>.Continuation? = nil
  ) async throws(Problem) -> MapTilesResult {
    defer { progress?.finish() }
    return try await writing {
      try await writeVectors(of: try openMap(), to: url, options, replaces: replaces, progress)
    }
  }

  /// The files that ``saveVectors(to:_:replaces:progress:)`` writes: the tiles, and their style if
  /// that is beside them.
  public static func vectorFiles(at url: URL) -> [URL] {
    [url] + [VectorTileConversion.styleFile(of: url)].compactMap(\.self)
  }

  private func writeVectors(
    of map: MapModel, to url: URL, _ options: Options, replaces: Bool,
    _ progress: AsyncStream<WorkProgress>.Continuation?
  ) async throws -> MapTilesResult {
    let tables = map.vectorLayers
    guard !tables.isEmpty else {
      throw Problem(
        message: "No layer that is on has features.",
        suggestion: "Switch a layer with features on, or write the map as pictures.")
    }
    var style = VectorTileStyleWriter(source: Self.sourceName(of: url))
    for table in tables {
      style.add(table.styled)
    }
    let parameters = VectorTileConversion.Parameters(
      name: map.state.title, levels: options.levels ?? 0...12, extent: options.extent,
      style: style.json(sourceURL: Self.sourceURL(of: url), name: map.state.title),
      replacesTarget: replaces)
    let conversion = try VectorTileConversion(
      tables.map(\.layer), from: map.origin ?? URL(filePath: map.map.name), to: url, parameters)
    var file = try await conversion.run(followedBy: progress) { note($0) }
    file.notes += style.notes
    return MapTilesResult(file: ConversionReport(file), omissions: map.layersWithoutContent)
  }

  /// The name of the source in the style, which readers of packages expect to be Esri's.
  private static func sourceName(of url: URL) -> String {
    url.pathExtension.lowercased() == "vtpk" ? "esri" : "tiles"
  }

  /// The URL of the tiles in the style.
  private static func sourceURL(of url: URL) -> String {
    switch url.pathExtension.lowercased() {
    case "vtpk": "../../"
    case let ending: "\(ending)://\(url.lastPathComponent)"
    }
  }
}

extension MapModel {
  /// A layer of the map as one of vector tiles.
  fileprivate struct VectorLayer {
    let layer: VectorTileConversion.Layer
    let content: FeatureLayerContent
    let drawn: DrawnLayer

    /// The layer with what the map says about how it is drawn.
    var styled: StyledTileLayer {
      var styled = StyledTileLayer(
        layer.name, schema: layer.schema, drawingInfo: content.drawingInfo)
      styled.opacity = drawn.effectiveOpacity
      styled.scaleRanges = drawn.scaleRanges
      styled.showsLabels = drawn.layer.showsLabels(over: content.drawingInfo.showsLabels)
      styled.layer = content.defining(drawn.layer)
      return styled
    }
  }

  /// The layers that are on and cannot be used, so that nobody knows which features they have.
  fileprivate var layersWithoutContent: [PictureOmission] {
    drawn.layers.compactMap { layer in
      layer.content.problem.map { PictureOmission(layer: layer.layer.title, reason: $0) }
    }
  }

  /// The layers with features that are on, lowest first, under names of their own.
  fileprivate var vectorLayers: [VectorLayer] {
    var names: Set<String> = []
    return drawn.layers.flatMap { layer in
      layer.content.features.filter { $0.schema.geometryType != nil }.map { content in
        var name = layer.layer.title
        var number = 2
        while !names.insert(name).inserted {
          name = "\(layer.layer.title) \(number)"
          number += 1
        }
        return VectorLayer(
          layer: VectorTileConversion.Layer(
            name, store: content.store, schema: content.schema,
            query: content.limited(QueryParameters())), content: content, drawn: layer)
      }
    }
  }
}
