public import Foundation
public import PortolanJSON
public import PortolanTransport

extension Portal {
  /// An item.
  public func item(_ id: PortalItemID) async throws(PortalError) -> PortalItem {
    try await client.value(
      url(of: id), orBecause: "the id of the item is missing", reading: PortalItem.init)
  }

  /// The document that an item holds, such as a web map; `nil` if it holds nothing.
  ///
  /// - Parameter id: The item.
  /// - Returns: The document, which may have any members.
  /// - Throws: ``PortalError/notJSON(_:_:)`` if the item is a file of another kind.
  public func json(of id: PortalItemID) async throws(PortalError) -> JSONValue? {
    let url = url(of: id).appending(path: "data")
    let response = try await client.data(url, ["f": "json"])
    guard !response.body.isEmpty else { return nil }
    do {
      return try JSONValue(parsing: response.body)
    } catch {
      let body = UnexpectedBody(of: response, reason: error.errorDescription ?? "")
      throw .notJSON(url.withoutSecrets, body)
    }
  }

  /// Where the file of an item is to be downloaded from, with the portal's credentials.
  public func dataURL(of id: PortalItemID) -> URL { url(of: id).appending(path: "data") }

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
    let info = url(of: try PortalItemID(item.id)).appending(path: "info")
    guard let url = info.appending(untrustedPath: name) else {
      throw .unexpected(info.withoutSecrets, reason: "the thumbnail has an impossible name")
    }
    var parameters: RESTParameters = [:]
    parameters.set("w", width)
    return try await client.data(url, parameters).body
  }

  /// The files that an item brings along, all of them.
  public func resources(of id: PortalItemID) async throws(PortalError) -> [PortalItemResource] {
    try await all(at: url(of: id).appending(path: "resources"), [:], named: ["resources"]) {
      PortalItemResource(json: $0)
    }
  }

  /// The contents of a file that an item brings along.
  public func data(
    of resource: PortalItemResource, of id: PortalItemID
  ) async throws(PortalError) -> HTTPResponse {
    let folder = url(of: id).appending(path: "resources")
    guard let url = folder.appending(untrustedPath: resource.path) else {
      throw .unexpected(folder.withoutSecrets, reason: "a resource has an impossible name")
    }
    return try await client.data(url)
  }

  /// The items that belong to an item, all of them.
  ///
  /// Servers know the parameter by two names; older ones give all items at once.
  public func relatedItems(
    to id: PortalItemID, through relationship: ItemRelationship,
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

  private func url(of id: PortalItemID) -> URL {
    restURL.appending(path: "content/items/\(id)")
  }

  /// Every page of a list, however the server pages.
  private func all<Value>(
    at url: URL, _ parameters: RESTParameters, named names: [String],
    reading: (JSONValue) -> Value?
  ) async throws(PortalError) -> [Value] {
    var values: [Value] = []
    var parameters = parameters
    parameters.set("num", PortalQueryParameters.maxLimit)
    var start = 1
    while true {
      parameters.set("start", start)
      let page = try await client.json(url, parameters)
      guard let list = names.lazy.compactMap({ page[$0]?.array }).first else {
        throw .unexpected(url.withoutSecrets, reason: "there is no list")
      }
      values += list.compactMap(reading)
      // A start that does not lead on would be asked for again and again.
      guard let next = page.object?.int("nextStart"), next > start, !list.isEmpty else { break }
      start = next
    }
    return values
  }
}
