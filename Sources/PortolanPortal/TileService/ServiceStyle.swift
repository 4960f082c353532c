public import Foundation
public import PortolanJSON
internal import PortolanTransport

/// A style for vector tiles and where it came from, since all addresses in it are relative to that.
public struct ServiceStyle: Hashable, Sendable {
  /// Where it came from.
  public let url: URL
  /// The style, of version 8 of the Mapbox style specification.
  public let json: JSONValue

  /// Asks for a style, of a service or of an item.
  ///
  /// - Parameters:
  ///   - url: The style.
  ///   - client: What sends the requests.
  /// - Returns: The style.
  /// - Throws: ``PortalError/unexpected(_:reason:)`` if it is something else.
  public static func load(
    _ url: URL, client: RESTClient
  ) async throws(PortalError) -> ServiceStyle {
    let json = try await client.value(url, orBecause: "this is no style") { json in
      json["sources"]?.object == nil || json["layers"]?.array == nil ? nil : Optional(json)
    }
    return ServiceStyle(url: url, json: json)
  }

  /// The addresses of the services with the tiles, by the names of the sources.
  public var sourceURLs: [String: URL] {
    let pairs = json["sources"]?.object?.members.compactMap { member -> (String, URL)? in
      guard ["vector", "raster", "raster-dem"].contains(member.value["type"]?.string),
        let url = member.value["url"]?.string.flatMap(resolve)
      else { return nil }
      return (member.name, url)
    }
    return Dictionary(pairs ?? [], uniquingKeysWith: { $1 })
  }

  /// Where the pictures are, without the ending; `nil` if there are none.
  public var spriteURL: URL? { json["sprite"]?.string.flatMap(resolve) }

  /// Where letters of a font are, 256 at a time; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - fonts: The names of the fonts, with commas.
  ///   - first: The first letter, a multiple of 256.
  /// - Returns: The address.
  public func glyphsURL(of fonts: String, from first: Int) -> URL? {
    let name = fonts.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? fonts
    return json["glyphs"]?.string.flatMap { template in
      resolve(
        template.replacing("{fontstack}", with: name)
          .replacing("{range}", with: "\(first)-\(first + 255)"))
    }
  }

  /// The pictures of the symbols: where each lies, and the image that holds them all.
  public func sprite(
    isDouble: Bool = false, client: RESTClient
  ) async throws(PortalError) -> (index: JSONValue, image: Data)? {
    guard let spriteURL else { return nil }
    let ending = isDouble ? "@2x" : ""
    let index = try await client.json(spriteURL.appending(ending: ending + ".json"))
    let image = try await client.data(spriteURL.appending(ending: ending + ".png")).body
    return (index, image)
  }

  /// The letters of fonts from `first` on; `nil` if the style has none.
  public func glyphs(
    of fonts: String, from first: Int, client: RESTClient
  ) async throws(PortalError) -> Data? {
    guard let url = glyphsURL(of: fonts, from: first) else { return nil }
    return try await client.data(url).body
  }

  /// What a source of the style names by its address: a document of GeoJSON, or a picture.
  ///
  /// - Throws: ``PortalError/unexpected(_:reason:)`` if the address is not of the web.
  public func file(
    at address: String, client: RESTClient
  ) async throws(PortalError) -> Data {
    guard let url = resolve(address) else {
      throw .unexpected(String(address.prefix(100)), reason: "it is no address of the web")
    }
    return try await client.data(url).body
  }

  /// An address of the web that the style names; others are not followed.
  private func resolve(_ text: String) -> URL? {
    URL(string: text, relativeTo: url).flatMap { URL(service: $0.absoluteString) }
  }
}

extension URL {
  /// The address with a text at the end of its path.
  fileprivate func appending(ending: String) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    parts.path += ending
    return parts.url ?? self
  }
}
