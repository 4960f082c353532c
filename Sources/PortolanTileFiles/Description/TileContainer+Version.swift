internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
public import PortolanTiles
internal import PortolanXML

extension TileContainer {
  /// The version that the package declares: in `item.pkinfo` that of the program that made it, in
  /// the `root.json` of a `.tpkx` that of the format (Docs/FORMATS.md, 1.6 and 3.2).
  func declaredVersion() throws(TileError) -> String? {
    if let path = try paths(named: "item.pkinfo").first, let data = try data(at: path) {
      do { return try XMLElement(parsing: data).text(of: "version") } catch {
        throw .damaged(file: name, place: path, reason: error.plainReason)
      }
    }
    guard let path = try paths(named: "root.json").first else { return nil }
    switch try json(at: path)?["version"] {
    case .string(let version): return version
    case .number(let version): return "\(version)"
    case .integer(let version): return "\(version)"
    default: return nil
    }
  }
}

extension TilePackageFile {
  /// The version that the package declares, if it does; caches that were never packed do not.
  public func declaredVersion() throws(TileError) -> String? {
    switch self {
    case .raster(let package): try package.contents.declaredVersion()
    case .vector(let package): try package.contents.declaredVersion()
    }
  }
}
