public import Foundation
public import PortolanJSON
public import PortolanTiles
internal import PortolanTransport

/// A style for vector tiles and where it came from, since all addresses in it are relative to that.
public struct ServiceStyle: Hashable, Sendable {
  /// The URL of the style.
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

  /// The URLs of the sprites, without the extension, by the ids of their sheets; the only sheet of
  /// a style, and the one called so, is `default`.
  public var spriteURLs: [(id: String, url: URL)] {
    StyleSprite.addresses(of: json).compactMap { id, address in
      resolve(address).map { (id: id, url: $0) }
    }
  }

  /// The URL of glyphs of a font, 256 at a time; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - fonts: The names of the fonts, with commas.
  ///   - first: The first glyph, a multiple of 256.
  /// - Returns: The address.
  public func glyphsURL(of fonts: String, from first: Int) -> URL? {
    let name = fonts.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? fonts
    return json["glyphs"]?.string.flatMap { template in
      resolve(
        template.replacing("{fontstack}", with: name)
          .replacing("{range}", with: "\(first)-\(first + 255)"))
    }
  }

  /// The sheets of pictures of the symbols.
  ///
  /// One that cannot be loaded is left out, as long as there are others; one without pictures for
  /// dense screens stands in with those for others, as long as another has them.
  ///
  /// - Parameters:
  ///   - isDouble: Whether pictures for dense screens are wanted.
  ///   - client: What sends the requests.
  /// - Returns: The sheets; none if the style has none.
  /// - Throws: ``PortalError`` if none can be had.
  public func sprites(
    isDouble: Bool = false, client: RESTClient
  ) async throws(PortalError) -> [StyleSprite] {
    let sheets = spriteURLs
    var sprites: [StyleSprite] = []
    var failure: PortalError?
    for (id, url) in sheets {
      do throws(PortalError) {
        sprites.append(try await Self.sprite(id, at: url, isDouble ? "@2x" : "", client))
      } catch {
        if case .cancelled = error { throw error }
        failure = error
        guard isDouble, sheets.count > 1 else { continue }
        // A sprite that is missing altogether is reported when an icon of it is drawn.
        if let sprite = try? await Self.sprite(id, at: url, "", client) { sprites.append(sprite) }
      }
    }
    if sprites.isEmpty, let failure { throw failure }
    return sprites
  }

  private static func sprite(
    _ id: String, at url: URL, _ ending: String, _ client: RESTClient
  ) async throws(PortalError) -> StyleSprite {
    let list = url.appending(ending: ending + ".json")
    let answer = try await client.body(list, ["f": "json"])
    var sprite = StyleSprite(id: id, index: .null, image: Data())
    do throws(JSONError) { sprite.index = try answer.json() } catch {
      // The readable entries of a damaged list are drawn.
      guard let entries = try? SalvagedJSON(parsing: answer.body) else {
        throw PortalError(answer, from: list.withoutSecrets, error)
      }
      sprite.index = entries.value
      sprite.isDamaged = true
    }
    sprite.image = try await client.data(url.appending(ending: ending + ".png")).body
    return sprite
  }

  /// The glyphs of fonts from `first` on; `nil` if the style has none.
  public func glyphs(
    of fonts: String, from first: Int, client: RESTClient
  ) async throws(PortalError) -> Data? {
    guard let url = glyphsURL(of: fonts, from: first) else { return nil }
    return try await client.data(url).body
  }

  /// The file that a source of the style names by its address: a document of GeoJSON, or a picture.
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
