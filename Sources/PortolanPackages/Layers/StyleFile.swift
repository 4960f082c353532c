public import Foundation
internal import PortolanFiles
public import PortolanJSON
public import PortolanTiles

/// A style for vector tiles from a file, with icons, glyphs and files of sources that lie beside it.
///
/// It draws tiles that have none of their own, as those of `.pmtiles`, `.mbtiles` and GeoPackages,
/// or replaces the one that a package has.
public struct StyleFile: Sendable {
  /// Larger files are no styles.
  private static let maximumSize = 64 << 20

  /// The style, of version 8 of the Mapbox style specification.
  public let json: JSONValue
  private let folder: URL

  /// Reads a style.
  ///
  /// - Throws: `TileError/unreadable(file:reason:)`, or `TileError/damaged(file:place:reason:)`
  ///   if it is no style.
  public init(_ url: URL) throws(TileError) {
    let name = url.lastPathComponent
    let data: Data
    do { data = try Data(contentsOf: url, options: .mappedIfSafe) } catch {
      throw .unreadable(file: name, reason: error.plainReason)
    }
    guard data.count <= Self.maximumSize else {
      throw .damaged(file: name, place: "the file", reason: "it is too large for a style")
    }
    do { json = try JSONValue(parsing: data) } catch {
      throw .damaged(file: name, place: "the file", reason: error.clause)
    }
    guard json["layers"]?.array != nil else {
      throw .damaged(file: name, place: "\"layers\"", reason: "a style has a list of layers")
    }
    folder = url.deletingLastPathComponent()
  }

  /// Whether the style is for such tiles: any vector tiles, and tiles of pictures if it has a source
  /// of them.
  public func draws(_ tiles: any TileSource) -> Bool {
    tiles.info.isVector
      || !StyledVectorTiles.sourceNames(ofKinds: Self.pictureKinds, in: json).isEmpty
  }

  /// The kinds of sources whose tiles are pictures: of a map, or of heights in colors.
  private static let pictureKinds = ["raster", "raster-dem"]

  /// Tiles drawn with the style, whatever it calls their source.
  public func styling(_ tiles: any TileSource) -> StyledVectorTiles {
    StyledVectorTiles(
      tiles, style: json, sourceKinds: tiles.info.isVector ? ["vector"] : Self.pictureKinds,
      resources: StyleFileResources(style: json, folder: folder), problems: problems)
  }

  /// What the style asks for that is not read from its folder.
  private var problems: [String] {
    [
      (
        StyleSprite.addresses(of: json).map(\.address),
        "its icons are on the web, and are not asked for"
      ),
      ([json["glyphs"]?.string ?? ""], "its glyphs are on the web; fonts of this machine stand in"),
    ]
    .compactMap { addresses, problem in
      addresses.contains { $0.contains("://") && !$0.hasPrefix("file://") } ? problem : nil
    }
  }
}

/// Icons, glyphs and files of sources that a style names relative to its file.
private struct StyleFileResources: StyleResources {
  let style: JSONValue
  let folder: URL

  func sprites(isDouble: Bool) -> [StyleSprite] {
    var sprites: [StyleSprite] = []
    for (id, address) in StyleSprite.addresses(of: style) {
      // One of several may have no icons for dense screens.
      if isDouble, let sprite = sprite(id, at: address + "@2x") {
        sprites.append(sprite)
      } else if let sprite = sprite(id, at: address) {
        sprites.append(sprite)
      }
    }
    return sprites
  }

  private func sprite(_ id: String, at address: String) -> StyleSprite? {
    guard let index = file(address + ".json"), let image = file(address + ".png") else {
      return nil
    }
    // An unreadable list is reported as damaged, and the other sheets are drawn.
    let list = try? SalvagedJSON(parsing: index)
    return StyleSprite(
      id: id, index: list?.value ?? [:], image: image, isDamaged: list?.isDamaged ?? true)
  }

  func glyphs(fontStack: String, range: ClosedRange<Int>) -> Data? {
    guard let template = style["glyphs"]?.string else { return nil }
    let fonts = fontStack.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    for font in [fontStack] + fonts where !font.contains("/") && !font.hasPrefix(".") {
      let path = template.replacing("{fontstack}", with: font)
        .replacing("{range}", with: "\(range.lowerBound)-\(range.upperBound)")
      if let data = file(path) { return data }
    }
    return nil
  }

  func file(at address: String) throws(TileError) -> Data {
    guard let url = url(address) else {
      throw .unreadable(file: address, reason: "it is on the web, and is not asked for")
    }
    do { return try Data(contentsOf: url, options: .mappedIfSafe) } catch {
      throw .unreadable(file: address, reason: error.plainReason)
    }
  }

  private func file(_ path: String) -> Data? {
    guard let url = url(path) else { return nil }
    // What is absent is drawn without.
    return try? Data(contentsOf: url, options: .mappedIfSafe)
  }

  /// The URL of a file; `nil` if it is on the web.
  private func url(_ path: String) -> URL? {
    path.hasPrefix("file://")
      ? URL(string: path)
      : path.contains("://")
        ? nil : folder.appending(path: path.removingPercentEncoding ?? path)
  }
}

extension JSONError {
  /// Why a document is none, in a clause for people.
  fileprivate var clause: String {
    if case .nestedTooDeep = self { "it is nested too deeply" } else { "it is no JSON" }
  }
}
