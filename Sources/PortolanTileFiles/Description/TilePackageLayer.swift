public import Foundation
internal import PortolanJSON

/// A layer that was drawn into the tiles, with its legend.
///
/// The layers of a tile package cannot be shown one by one; they say what the picture means.
///
/// - SeeAlso: Docs/FORMATS.md, 3.2
public struct TilePackageLayer: Hashable, Sendable {
  /// A swatch and what it stands for.
  public struct LegendEntry: Hashable, Sendable {
    /// The text, which may be empty.
    public var label: String
    /// The picture as stored.
    public var image: Data
    /// The picture's media type, for example `image/png`.
    public var contentType: String
    /// The picture's width in pixels.
    public var width: Int?
    /// The picture's height in pixels.
    public var height: Int?
  }

  /// The number in the service that the tiles were made from.
  public var id: Int
  /// The name for people.
  public var name: String
  /// The group layer that it is in.
  public var parentLayerID: Int?
  /// The largest denominator at which it was drawn; `nil` if there is no limit.
  public var minScale: Double?
  /// The smallest denominator at which it was drawn; `nil` if there is no limit.
  public var maxScale: Double?
  /// The legend.
  public var legend: [LegendEntry]

  /// Reads a member of `layers`.
  init?(_ json: JSONValue) {
    guard let id = json["id"]?.int else { return nil }
    self.id = id
    name = json["name"]?.string ?? ""
    parentLayerID = json["parentLayerId"]?.int.flatMap { $0 < 0 ? nil : $0 }
    minScale = json["minScale"]?.double.flatMap { $0 > 0 ? $0 : nil }
    maxScale = json["maxScale"]?.double.flatMap { $0 > 0 ? $0 : nil }
    legend = (json["legend"]?.array ?? []).compactMap(LegendEntry.init)
  }
}

extension TilePackageLayer.LegendEntry {
  fileprivate init?(_ json: JSONValue) {
    guard let image = json["imageData"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
      return nil
    }
    self.init(
      label: json["label"]?.string ?? "", image: image,
      contentType: json["contentType"]?.string ?? "image/png", width: json["width"]?.int,
      height: json["height"]?.int)
  }
}
