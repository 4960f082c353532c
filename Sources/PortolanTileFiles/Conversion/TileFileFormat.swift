/// The kinds of file that tiles can be written to.
public enum TileFileFormat: String, Hashable, Sendable, CaseIterable {
  case tpk, tpkx, mbtiles, pmtiles

  /// The kind that a file's extension names, without case; `nil` for any other.
  public init?(pathExtension: String) { self.init(rawValue: pathExtension.lowercased()) }

  /// Whether addresses are those of the Web Mercator's pyramid, whatever the source's are.
  var isWebMercatorQuad: Bool { self == .mbtiles || self == .pmtiles }
}
