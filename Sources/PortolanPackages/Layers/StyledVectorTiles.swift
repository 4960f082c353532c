public import Foundation
public import PortolanJSON
public import PortolanTileFiles
public import PortolanTiles

/// The icons, glyphs and files of sources that a style of vector tiles refers to.
public protocol StyleResources: Sendable {
  /// The icons of each sprite that the style has.
  @concurrent func sprites(isDouble: Bool) async throws(TileError) -> [StyleSprite]

  /// The glyphs of 256 characters of a font, a PBF; `nil` if there are none.
  @concurrent func glyphs(
    fontStack: String, range: ClosedRange<Int>
  ) async throws(TileError) -> Data?

  /// What a source of the style names by its address: a document of GeoJSON, or a picture.
  ///
  /// - Throws: `TileError/unreadable(file:reason:)` if it cannot be loaded.
  @concurrent func file(at address: String) async throws(TileError) -> Data
}

extension StyleResources {
  /// Styles that stand for themselves have nothing beside them.
  public func file(at address: String) throws(TileError) -> Data {
    throw .unreadable(file: address, reason: "nothing is kept beside the style")
  }
}

/// Vector tiles with a style that is not part of their file or service.
public struct StyledVectorTiles: Sendable {
  /// The tiles by the name of their source in the style; a source that is missing has none.
  public var sources: [String: any TileSource]
  /// The style, of version 8 of the Mapbox style specification.
  public var style: JSONValue
  /// Its icons and glyphs.
  public var resources: any StyleResources
  /// The parts of the style that cannot be drawn as it says, in clauses for people.
  public var problems: [String]

  /// Creates the tiles of a layer.
  public init(
    sources: [String: any TileSource], style: JSONValue, resources: any StyleResources,
    problems: [String] = []
  ) {
    self.sources = sources
    self.style = style
    self.resources = resources
    self.problems = problems
  }

  /// Tiles drawn with a style, whatever it calls their source.
  init(
    _ tiles: any TileSource, style: JSONValue, sourceKinds kinds: [String],
    resources: any StyleResources, problems: [String]
  ) {
    let declared = Self.sourceNames(ofKinds: kinds, in: style)
    let used = (style["layers"]?.array ?? []).compactMap { $0["source"]?.string }
    let names = declared.isEmpty ? used : declared
    // Several names for the same tiles read them once.
    let sources = Dictionary(names.map { ($0, tiles) }, uniquingKeysWith: { first, _ in first })
    self.init(
      sources: sources.isEmpty ? ["": tiles] : sources, style: style, resources: resources,
      problems: problems)
  }

  /// The names of the sources of some kinds, in the order of a style; one that does not say is of
  /// vectors.
  static func sourceNames(ofKinds kinds: [String], in style: JSONValue) -> [String] {
    (style["sources"]?.object?.members ?? [])
      .filter { kinds.contains($0.value["type"]?.string ?? "vector") }.map(\.name)
  }

  /// The tile package that the tiles are from; `nil` if they are from elsewhere.
  public var package: VectorTilePackage? {
    sources.values.lazy.compactMap { $0 as? VectorTilePackage }.first
  }

  /// The attribution.
  public var attributions: [String] {
    sources.keys.sorted().compactMap { sources[$0]?.info.attribution }
  }
}
