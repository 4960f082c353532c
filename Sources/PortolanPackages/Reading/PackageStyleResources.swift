internal import Foundation
internal import PortolanJSON
internal import PortolanMap
internal import PortolanTileFiles
internal import PortolanTiles

/// The style of a layer of vector tiles in a package, with the icons and glyphs beside it; those that are
/// not there are taken from the tiles.
///
/// - SeeAlso: Docs/FORMATS.md, 1.3
struct PackageStyleResources: StyleResources {
  /// Why there is no such style, in a clause that goes on from "the style".
  struct Obstacle: Error {
    let clause: String
  }

  /// The location of icons beside a style that names them by an address on the web.
  private static let sprites = "../sprites/sprite"
  /// The location of glyphs.
  private static let glyphs = "../fonts/{fontstack}/{range}.pbf"
  /// The known paths of the style in its folder.
  private static let places = ["resources/styles/root.json", "styles/root.json", "root.json"]

  let style: JSONValue
  private let package: VectorTilePackage
  /// The files beside the style, and its folder; `nil` for the style of the tiles.
  private let files: (contents: any PackageContents, folder: String)?

  /// The style of the tiles themselves.
  init(of package: VectorTilePackage, style: JSONValue) {
    self.style = style
    self.package = package
    files = nil
  }

  /// Reads the style in a folder of a package, or the style that is such a file.
  init(
    in contents: any PackageContents, at place: String, besides package: VectorTilePackage
  ) throws(Obstacle) {
    let candidates = [place] + Self.places.map { "\(place)/\($0)" }
    guard let path = candidates.lazy.compactMap({ contents.spelling(of: $0) }).first else {
      throw Obstacle(clause: "is not in the package at \"\(place.prefix(100))\"")
    }
    let data: Data
    do {
      data = try contents.data(at: path, limit: PackageLimits.documentSize)
    } catch {
      throw Obstacle(clause: "cannot be read")
    }
    // What is no JSON is reported like JSON that is no style.
    guard let json = try? JSONValue(parsing: data), json["layers"]?.array != nil else {
      throw Obstacle(clause: "is no style")
    }
    style = json
    self.package = package
    files = (contents, path.split(separator: "/").dropLast().joined(separator: "/"))
  }

  func sprites(isDouble: Bool) throws(TileError) -> [StyleSprite] {
    var sprites: [StyleSprite] = []
    var missing: [StyleSprite] = []
    for (id, address) in StyleSprite.addresses(of: style) where files != nil {
      let isOnWeb = address.contains("://")
      let base = isOnWeb ? Self.sprites : address
      // One of several may have no icons for dense screens.
      let endings = isDouble ? ["@2x", ""] : [""]
      if let sprite = endings.lazy.compactMap({ self.sprite(id, at: base + $0) }).first {
        sprites.append(sprite)
      } else if isOnWeb {
        missing.append(StyleSprite(id: id, index: [:], image: Data(), isDamaged: true))
      }
    }
    // Beside sheets that are there, those that are on the web are reported.
    if !sprites.isEmpty { return sprites + missing }
    return try package.sprites(scale: isDouble ? .double : .single)
  }

  private func sprite(_ id: String, at address: String) -> StyleSprite? {
    guard let index = data(at: address + ".json"), let image = data(at: address + ".png") else {
      return nil
    }
    // An unreadable list is reported as damaged, and the other sheets are drawn.
    let list = try? SalvagedJSON(parsing: index)
    return StyleSprite(
      id: id, index: list?.value ?? [:], image: image, isDamaged: list?.isDamaged ?? true)
  }

  func glyphs(fontStack: String, range: ClosedRange<Int>) throws(TileError) -> Data? {
    let declared = style["glyphs"]?.string ?? Self.glyphs
    let template = declared.contains("://") ? Self.glyphs : declared
    let fonts = fontStack.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    for font in [fontStack] + fonts where !font.contains("/") && !font.hasPrefix(".") {
      let path = template.replacing("{fontstack}", with: font)
        .replacing("{range}", with: "\(range.lowerBound)-\(range.upperBound)")
      if let data = data(at: path) { return data }
    }
    return try package.glyphs(fontStack: fontStack, range: range)
  }

  func file(at address: String) throws(TileError) -> Data {
    guard let data = data(at: address) else {
      throw .unreadable(file: address, reason: "it is not in the package")
    }
    return data
  }

  /// The file at an address relative to the style; `nil` if there is none in the package.
  private func data(at address: String) -> Data? {
    guard let files, !address.contains("://") else { return nil }
    let relative = PackagePath(address.removingPercentEncoding ?? address)
    // What lies outside the package is not read.
    guard let place = try? relative.resolved(relativeTo: files.folder),
      let path = files.contents.spelling(of: place)
    else { return nil }
    // What cannot be read is drawn without, like what is absent.
    return try? files.contents.data(at: path, limit: PackageLimits.documentSize)
  }
}
