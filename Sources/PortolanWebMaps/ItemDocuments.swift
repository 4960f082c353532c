internal import PortolanJSON
internal import PortolanPortal

/// The documents of the items that layers are of, each requested once however many layers a map has of it.
actor ItemDocuments {
  private let portal: Portal
  private var known: [PortalItem.ID: JSONValue] = [:]
  private nonisolated let loading = SharedWork<PortalItem.ID, Result<JSONValue, PortalError>>()

  /// Knows none yet; `portal` has the items.
  init(_ portal: Portal) { self.portal = portal }

  /// The document of an item, `null` if it holds nothing; one that failed is requested again the next time.
  func document(of id: PortalItem.ID) async throws(PortalError) -> JSONValue {
    if let document = known[id] { return document }
    let portal = portal
    guard let result = await loading.value(for: id, { await Self.load(id, from: portal) }) else {
      throw .cancelled
    }
    let document = try result.get()
    known[id] = document
    return document
  }

  private static func load(
    _ id: PortalItem.ID, from portal: Portal
  ) async -> Result<JSONValue, PortalError> {
    do throws(PortalError) { return .success(try await portal.json(of: id) ?? .null) } catch {
      return .failure(error)
    }
  }
}
