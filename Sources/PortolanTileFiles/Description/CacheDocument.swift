internal import Foundation
internal import PortolanJSON
internal import PortolanTiles

/// The document that describes a package's tiles, wherever it lies.
struct CacheDocument {
  /// The configuration in the document.
  let configuration: CacheConfiguration
  /// The document itself, if it is a `root.json`.
  let root: JSONValue?

  /// Whether the tiles are vector tiles.
  var isVector: Bool {
    guard let root else { return false }
    return root["type"]?.string?.lowercased().contains("vector") ?? false
      || configuration.declaredFormat.lowercased() == "pbf"
  }

  /// Looks for a `root.json` that places tiles, then for a `conf.xml`.
  ///
  /// Vector tile packages hold several documents called `root.json`; the one nearest the top
  /// that has a `tileInfo` counts.
  static func find(in contents: any TileContainer) throws(TileError) -> CacheDocument {
    for path in try contents.paths(named: "root.json").prefix(16) {
      guard let root = try contents.json(at: path), root["tileInfo"] != nil else { continue }
      let configuration = try CacheConfiguration(root: root, path: path, file: contents.name)
      return CacheDocument(configuration: configuration, root: root)
    }
    guard let path = try contents.paths(named: "conf.xml").first,
      let xml = try contents.data(at: path)
    else {
      throw contents.missingDocument
    }
    let extentPath = PackagePath.resolve("conf.cdi", besides: path)
    let extent = if let extentPath { try contents.data(at: extentPath) } else { nil as Data? }
    let configuration = try CacheConfiguration(
      xml: xml, extent: extent, path: path, file: contents.name)
    return CacheDocument(configuration: configuration, root: nil)
  }
}
