public import Foundation
public import PortolanJSON
public import PortolanTransport

extension Portal {
  /// An item.
  public func item(_ id: PortalItem.ID) async throws(PortalError) -> PortalItem {
    let url = url(of: id)
    let item = try await client.value(
      url, orBecause: "the item has no valid id", reading: PortalItem.init)
    // Data stored under this id must not be another item's.
    guard item.id == id else {
      throw .unexpected(url.withoutSecrets, reason: "it describes another item, \(item.id)")
    }
    return item
  }

  /// The document that an item holds, such as a web map; `nil` if it holds nothing.
  ///
  /// - Parameter id: The item.
  /// - Returns: The document, which may have any members.
  /// - Throws: ``PortalError/notJSON(_:_:)`` if the item is a file of another kind.
  public func json(of id: PortalItem.ID) async throws(PortalError) -> JSONValue? {
    let url = url(of: id).appending(path: "data")
    let response = try await client.data(url, ["f": "json"])
    guard !response.body.isEmpty else { return nil }
    do { return try response.json() } catch {
      throw PortalError(response, from: url.withoutSecrets, error)
    }
  }

  /// The URL from which the file of an item is downloaded, with the portal's credentials.
  public func dataURL(of id: PortalItem.ID) -> URL { url(of: id).appending(path: "data") }

  /// The picture of an item, `nil` if it has none.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - width: How wide it should be, if the portal can scale it.
  /// - Returns: The bytes of the image.
  /// - Throws: ``PortalError``, ``PortalError/notFound(_:_:)`` where the picture is lost.
  public func thumbnail(
    of item: PortalItem, width: Int? = nil
  ) async throws(PortalError) -> Data? {
    guard let name = item.thumbnail else { return nil }
    let info = url(of: item.id).appending(path: "info")
    guard let url = info.appending(untrustedPath: name) else {
      throw .unexpected(info.withoutSecrets, reason: "the thumbnail has an impossible name")
    }
    var parameters: RESTParameters = [:]
    parameters.set("w", width)
    return try await client.data(url, parameters).body
  }

  /// All resource files of an item.
  public func resources(of id: PortalItem.ID) async throws(PortalError) -> [PortalItemResource] {
    try await all(at: url(of: id).appending(path: "resources"), [:], named: ["resources"]) {
      PortalItemResource(json: $0)
    }
  }

  /// The contents of a resource file of an item.
  public func data(
    of resource: PortalItemResource, of id: PortalItem.ID
  ) async throws(PortalError) -> HTTPResponse {
    try await client.data(try address(of: resource, of: id))
  }

  /// The URL of a resource file of an item.
  public func address(
    of resource: PortalItemResource, of id: PortalItem.ID
  ) throws(PortalError) -> URL {
    let folder = url(of: id).appending(path: "resources")
    guard let url = folder.appending(untrustedPath: resource.path) else {
      throw .unexpected(folder.withoutSecrets, reason: "a resource has an impossible name")
    }
    return url
  }

  /// The items that belong to an item, all of them.
  ///
  /// Servers know the parameter by two names; older ones give all items at once.
  public func relatedItems(
    to id: PortalItem.ID, through relationship: ItemRelationship,
    direction: ItemRelationship.Direction = .forward
  ) async throws(PortalError) -> [PortalItem] {
    let parameters: RESTParameters = [
      "relationshipType": relationship.rawValue, "relationshipTypes": relationship.rawValue,
      "direction": direction.rawValue,
    ]
    let url = url(of: id).appending(path: "relatedItems")
    return try await all(at: url, parameters, named: ["relatedItems", "results"]) {
      PortalItem(json: $0)
    }
  }

  /// Refuses a list that contains a text which cannot be an id.
  ///
  /// Leaving such an entry out would hide a part of what was requested, for example a package of
  /// an area.
  func refuseInvalidIDs(in list: [JSONValue], of url: URL) throws(PortalError) {
    for text in list.lazy.compactMap({ $0.object?.filledText("id") }) {
      do { _ = try PortalItem.ID(text) } catch {
        throw .unexpected(
          url.withoutSecrets, reason: "\"\(text.prefix(100))\" is not a valid id")
      }
    }
  }

  private func url(of id: PortalItem.ID) -> URL { Self.url(of: id, at: url) }

  private static func url(of id: PortalItem.ID, at portal: URL) -> URL {
    portal.appending(path: "sharing/rest/content/items/\(id)")
  }

  /// Whether the document of a map is kept, so that the map opens where its portal cannot be asked.
  ///
  /// - Parameters:
  ///   - id: The map's item.
  ///   - portal: The address of its portal.
  ///   - documents: What keeps documents.
  /// - Returns: `true` if it is.
  public static func isKept(
    _ id: PortalItem.ID, of portal: URL, in documents: any DocumentCache
  ) async -> Bool {
    let url = url(of: id, at: portal).appending(path: "data")
    let request = HTTPRequest(url, ["f": "json"], method: .automatic)
    guard let address = request.descriptionAddress else { return false }
    return await documents.document(for: address) != nil
  }

  /// Every page of a list, however the server pages.
  ///
  /// A list that is longer than portals let one page is refused: a part of it would pass for all.
  private func all<Value>(
    at url: URL, _ parameters: RESTParameters, named names: [String],
    reading: (JSONValue) -> Value?
  ) async throws(PortalError) -> [Value] {
    var values: [Value] = []
    var parameters = parameters
    var start = 1
    while true {
      parameters.set("start", start)
      parameters.set(
        "num", min(PortalQueryParameters.maxLimit, PortalQueryParameters.searchWindow - start))
      let page = try await client.json(url, parameters)
      guard let list = names.lazy.compactMap({ page[$0]?.array }).first else {
        throw .unexpected(url.withoutSecrets, reason: "there is no list")
      }
      try refuseInvalidIDs(in: list, of: url)
      values += list.compactMap(reading)
      // A start that does not lead on would be requested again and again.
      guard let next = page.object?.int("nextStart"), next > start, !list.isEmpty else {
        return values
      }
      guard next <= PortalQueryParameters.reachableCount else {
        throw .unexpected(
          url.withoutSecrets,
          reason: "the list is longer than \(PortalQueryParameters.reachableCount) entries, "
            + "which is as far as portals page")
      }
      start = next
    }
  }
}
