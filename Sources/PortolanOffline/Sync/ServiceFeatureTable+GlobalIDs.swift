internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

extension ServiceFeatureTable {
  /// How many global ids are asked for at once.
  private static let batch = 50

  /// The features by those of the given global ids that the service has.
  ///
  /// - Parameters:
  ///   - ids: The global ids.
  ///   - parameters: What is asked for of each.
  /// - Returns: The features; not those whose shapes cannot be read.
  /// - Throws: What asking throws, and ``PortolanPortal/PortalError/unexpected(_:reason:)`` for a table or an
  ///   answer without global ids: what is not found in it may be there.
  func features(
    ofGlobalIDs ids: [String], _ parameters: ServiceQueryParameters
  ) async throws -> [String: Feature] {
    guard let field = info.schema?.globalIDField else { throw noGlobalIDs }
    let names = Dictionary(ids.map { (Self.plain($0), $0) }, uniquingKeysWith: { $1 })
    var found: [String: Feature] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      // Products write global ids in different ways.
      let spellings = ids[start..<min(start + Self.batch, ids.count)].map(Self.plain)
        .flatMap { ["'{\($0)}'", "'\($0.lowercased())'"] }
      var query = parameters
      query.whereClause = "\(field) IN (\(spellings.joined(separator: ",")))"
      for try await page in pages(matching: query) {
        // Features without object ids are numbered as they come.
        guard page.objectIDField != nil else { throw noGlobalIDs }
        let unreadable = Set(page.unreadableShapes.map(\.index))
        for (index, feature) in page.features.enumerated() where !unreadable.contains(index) {
          guard case .text(let id)? = feature.attributes[field] else { throw noGlobalIDs }
          if let name = names[Self.plain(id)] { found[name] = feature }
        }
      }
    }
    return found
  }

  /// The object ids of features by those of the given global ids that the service has.
  func objectIDs(ofGlobalIDs ids: [String]) async throws -> [String: Int64] {
    guard let schema = info.schema, let field = schema.globalIDField else { throw noGlobalIDs }
    // Not every service sends object ids without being asked.
    let query = ServiceQueryParameters(
      returnsGeometry: false, outFields: [schema.objectIDField, field])
    return try await features(ofGlobalIDs: ids, query).mapValues(\.objectID)
  }

  /// The global ids of what is attached to features.
  ///
  /// - Returns: For each feature with attachments, their ids; `nil` for one of which the service reports
  ///   none.
  func attachmentGlobalIDs(of objectIDs: [Int64]) async throws(PortalError) -> [Int64: [String?]] {
    guard info.supportsQueryAttachments else {
      return try await attachmentGlobalIDsOneByOne(of: objectIDs)
    }
    var found: [Int64: [String?]] = [:]
    for start in stride(from: 0, to: objectIDs.count, by: Self.batch) {
      let batch = Array(objectIDs[start..<min(start + Self.batch, objectIDs.count)])
      var own = try await attachmentGlobalIDsAtOnce(of: batch)
      if own == nil { own = try await attachmentGlobalIDsOneByOne(of: batch) }
      found.merge(own ?? [:]) { _, last in last }
    }
    return found
  }

  /// The global ids of what is attached to some features; `nil` where the service does not answer for
  /// several, or leaves something out, which would count as gone.
  private func attachmentGlobalIDsAtOnce(
    of objectIDs: [Int64]
  ) async throws(PortalError) -> [Int64: [String?]]? {
    let answer: JSONValue
    do throws(PortalError) {
      answer = try await client.json(
        url.appending(path: "queryAttachments"),
        ["objectIds": objectIDs.map(String.init).joined(separator: ",")])
    } catch {
      guard error.refusesQuestion else { throw error }
      return nil
    }
    guard let groups = answer["attachmentGroups"]?.array else { throw noAttachments }
    guard answer["exceededTransferLimit"]?.bool != true else { return nil }
    var found: [Int64: [String?]] = [:]
    for group in groups {
      guard let objectID = group["parentObjectId"]?.integer else { throw noAttachments }
      found[objectID, default: []] += try globalIDs(group)
    }
    return found
  }

  private func attachmentGlobalIDsOneByOne(
    of objectIDs: [Int64]
  ) async throws(PortalError) -> [Int64: [String?]] {
    var found: [Int64: [String?]] = [:]
    for objectID in objectIDs {
      found[objectID] = try globalIDs(
        try await client.json(url.appending(path: "\(objectID)/attachments")))
    }
    return found
  }

  private var noGlobalIDs: PortalError {
    .unexpected(url.withoutSecrets, reason: "features do not say which they are")
  }

  private var noAttachments: PortalError {
    .unexpected(url.withoutSecrets, reason: "there is no list of attachments")
  }

  private func globalIDs(_ json: JSONValue) throws(PortalError) -> [String?] {
    guard let list = json["attachmentInfos"]?.array else { throw noAttachments }
    return list.map(\.filledGlobalID)
  }

  private static func plain(_ id: String) -> String {
    id.uppercased().filter { $0 != "{" && $0 != "}" }
  }
}
