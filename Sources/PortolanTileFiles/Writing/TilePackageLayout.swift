/// The two kinds of tile package, which differ in the files around the same bundles.
public enum TilePackageLayout: String, Hashable, Sendable, CaseIterable {
  /// The open format, `.tpkx`: `root.json` and `iteminfo.json`.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 3.2
  case tpkx
  /// The older one, `.tpk`, which also older programs read: `conf.xml`, `conf.cdi` and
  /// `esriinfo`.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 3.3
  case tpk

  /// The folder of the folders of levels, as a path inside the package.
  var tilesFolder: String {
    switch self {
    case .tpkx: "tile"
    case .tpk: "v101/Layers/_alllayers"
    }
  }
}
