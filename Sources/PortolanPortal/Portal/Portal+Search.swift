internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension Portal {
  /// Finds items.
  ///
  /// Of the results, only items whose kind is exactly one of those asked for are kept, since the
  /// portal also finds kinds of a similar name.
  public func findItems(
    _ parameters: PortalQueryParameters
  ) async throws(PortalError) -> PortalQueryResultSet<PortalItem> {
    try await find(parameters, at: "search") { json in
      guard let item = PortalItem(json: json) else { return nil }
      return parameters.kinds.isEmpty || parameters.kinds.contains(where: item.isOf) ? item : nil
    }
  }

  /// Finds groups.
  public func findGroups(
    _ parameters: PortalQueryParameters
  ) async throws(PortalError) -> PortalQueryResultSet<PortalGroup> {
    try await find(parameters, at: "community/groups") { PortalGroup(json: $0) }
  }

  /// Finds people.
  public func findUsers(
    _ parameters: PortalQueryParameters
  ) async throws(PortalError) -> PortalQueryResultSet<PortalUser> {
    try await find(parameters, at: "community/users") { PortalUser(json: $0) }
  }

  /// The items that a group shares.
  public func items(
    of group: PortalItem.ID, _ parameters: PortalQueryParameters = PortalQueryParameters()
  ) async throws(PortalError) -> PortalQueryResultSet<PortalItem> {
    var parameters = parameters
    parameters.group = group
    return try await findItems(parameters)
  }

  private func find<Result>(
    _ parameters: PortalQueryParameters, at path: String, reading: (JSONValue) -> Result?
  ) async throws(PortalError) -> PortalQueryResultSet<Result> {
    guard parameters.requestedCount > 0 else {
      return PortalQueryResultSet(
        results: [], totalCount: nil, parameters: parameters, nextParameters: nil, isCut: true)
    }
    let url = restURL.appending(path: path)
    let json = try await client.json(url, parameters.request)
    guard let list = PortalQueryResultSet<Result>.list(in: json),
      let results = PortalQueryResultSet(json: json, to: parameters, reading: reading)
    else { throw .unexpected(url.withoutSecrets, reason: "there is no list of results") }
    try refuseInvalidIDs(in: list, of: url)
    return results
  }
}
