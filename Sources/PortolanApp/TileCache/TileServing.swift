public import Foundation

/// The address of the tile server, and the layers that it serves.
public struct TileServing: Hashable, Sendable, Codable {
  /// The addresses of a tile layer.
  public struct Layer: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// The address of its tiles, with `{z}`, `{x}` and `{y}`; `nil` where none of its levels is one of Web
    /// Mercator.
    public var template: String?
    /// The address of its TileJSON; `nil` as well where it has none.
    public var tileJSON: URL?
    /// The address of its WMTS capabilities.
    public var wmts: URL
  }

  /// The address of the server.
  public var url: URL
  /// The layers that it serves.
  public var layers: [Layer]
}
