public import Foundation
public import PortolanJSON
public import PortolanTiles

extension VectorTilePackage {
  /// The pixels a point of a sprite is drawn with.
  public enum SpriteScale: String, Sendable {
    /// One pixel.
    case single = ""
    /// Two pixels, for dense screens.
    case double = "@2x"
  }

  /// The style, a Mapbox style of version 8, as it was read.
  ///
  /// Its relative URLs are meant from ``stylePath``.
  public func style() throws(TileError) -> JSONValue {
    guard let style = try contents.json(at: stylePath) else {
      throw .damaged(file: contents.name, place: stylePath, reason: "the style is absent")
    }
    return style
  }

  /// The path of the style in the package.
  public var stylePath: String {
    let folder = json["defaultStyles"]?.string ?? "resources/styles"
    return PackagePath.resolve(folder + "/root.json", besides: configuration.document)
      ?? PackagePath.resolve("resources/styles/root.json", besides: configuration.document)
      ?? "resources/styles/root.json"
  }

  /// A file that a relative URL of the style names, or `nil` if it is absent.
  ///
  /// - Throws: `TileError.damaged(file:place:reason:)` if the URL leads out of the package.
  public func resource(at relativeURL: String) throws(TileError) -> Data? {
    let text = relativeURL.removingPercentEncoding ?? relativeURL
    guard let path = PackagePath.resolve(text, besides: stylePath) else {
      throw .damaged(
        file: contents.name, place: stylePath,
        reason: "\"\(relativeURL)\" lies outside the package")
    }
    return try contents.data(at: path)
  }

  /// The icons of the style, a sheet or several; those that are not in the package are left out.
  ///
  /// A sheet at an address on the web or outside the package, or one that cannot be read, has no picture
  /// and is marked as damaged, so that it is reported and the others are drawn.
  ///
  /// - Throws: `TileError` if the style cannot be read.
  public func sprites(scale: SpriteScale = .single) throws(TileError) -> [StyleSprite] {
    var sprites: [StyleSprite] = []
    for (id, address) in StyleSprite.addresses(of: try style()) {
      do throws(TileError) {
        guard let sprite = try self.sprite(id, at: address + scale.rawValue) else { continue }
        sprites.append(sprite)
      } catch {
        sprites.append(StyleSprite(id: id, index: [:], image: Data(), isDamaged: true))
      }
    }
    return sprites
  }

  private func sprite(_ id: String, at address: String) throws(TileError) -> StyleSprite? {
    guard let index = try resource(at: address + ".json"),
      let image = try resource(at: address + ".png")
    else { return nil }
    // An unreadable list is reported as damaged, and the other sheets are drawn.
    let list = try? SalvagedJSON(parsing: index)
    return StyleSprite(
      id: id, index: list?.value ?? [:], image: image, isDamaged: list?.isDamaged ?? true)
  }

  /// The shapes of 256 characters of a font, as the style's `glyphs` URL gives them: a PBF.
  ///
  /// - Parameters:
  ///   - fontStack: The fonts as a style names them, the first that the package has counts;
  ///     several are joined by commas.
  ///   - range: The code points, for example `0...255`.
  /// - Returns: `nil` if the package has none of the fonts, or not those characters.
  /// - Throws: `TileError` if the style or the file cannot be read.
  public func glyphs(
    fontStack: String, range: ClosedRange<Int>
  ) throws(TileError) -> Data? {
    let template = try style()["glyphs"]?.string ?? "../fonts/{fontstack}/{range}.pbf"
    let fonts = fontStack.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    for font in [fontStack] + fonts where !font.contains("/") && !font.hasPrefix(".") {
      let url = template.replacing("{fontstack}", with: font)
        .replacing("{range}", with: "\(range.lowerBound)-\(range.upperBound)")
      if let data = try resource(at: url) { return data }
    }
    return nil
  }

  /// The fonts that the package has, in alphabetical order.
  public func fontStacks() throws(TileError) -> [String] {
    let folder = PackagePath.resolve("../fonts", besides: stylePath)
    return try folder.map { path throws(TileError) in try contents.names(in: path).sorted() } ?? []
  }

  /// The layers in the tiles with their fields, `metadata.json`, if the package has it.
  public func metadata() throws(TileError) -> JSONValue? {
    let path = PackagePath.resolve("metadata.json", besides: configuration.document)
    return if let path { try contents.json(at: path) } else { nil }
  }
}
