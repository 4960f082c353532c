public import Foundation
public import PortolanFeatures
internal import PortolanJSON
internal import PortolanTransport

extension ServiceFeatureTable {
  /// The attachments of a feature, without their contents.
  public func attachments(of objectID: Int64) async throws(PortalError) -> [Attachment] {
    let url = url.appending(path: "\(objectID)/attachments")
    return try await client.value(url, orBecause: "there is no list of attachments") { json in
      json["attachmentInfos"]?.array?.compactMap(Attachment.init(serviceJSON:))
    }
  }

  /// The attachments of features, without their contents.
  ///
  /// Features that a truncated answer may have left out are queried one by one, and so are all
  /// features where a service refuses to answer for several.
  ///
  /// - Parameter objectIDs: The features.
  /// - Returns: For each feature that has some, its attachments.
  /// - Throws: ``PortalError``.
  public func attachments(
    of objectIDs: [Int64]
  ) async throws(PortalError) -> [Int64: [Attachment]] {
    guard info.supportsQueryAttachments else { return try await attachmentsOneByOne(objectIDs) }
    var attachments: [Int64: [Attachment]] = [:]
    for batch in objectIDs.batches(of: 200) {
      let own = try await listedAttachments(of: batch)
      attachments.merge(own) { first, _ in first }
    }
    return attachments
  }

  private func attachmentsOneByOne(
    _ objectIDs: [Int64]
  ) async throws(PortalError) -> [Int64: [Attachment]] {
    var attachments: [Int64: [Attachment]] = [:]
    for objectID in objectIDs {
      let own = try await self.attachments(of: objectID)
      if !own.isEmpty { attachments[objectID] = own }
    }
    return attachments
  }

  private func listedAttachments(
    of objectIDs: [Int64]
  ) async throws(PortalError) -> [Int64: [Attachment]] {
    do throws(PortalError) { return try await attachmentsAtOnce(objectIDs) } catch {
      switch error {
      // Some say that they can be asked so, and cannot.
      case .notFound: break
      case .server where !error.isTransient: break
      default: throw error
      }
      return try await attachmentsOneByOne(objectIDs)
    }
  }

  private func attachmentsAtOnce(
    _ objectIDs: [Int64]
  ) async throws(PortalError) -> [Int64: [Attachment]] {
    let ids = objectIDs.map(String.init).joined(separator: ",")
    let json = try await client.json(
      url.appending(path: "queryAttachments"), ["objectIds": ids])
    guard let groups = json["attachmentGroups"]?.array else {
      throw .unexpected(url.withoutSecrets, reason: "there is no list of attachments")
    }
    // Services cut long answers, and say no more of it than this.
    guard json["exceededTransferLimit"]?.bool != true else {
      return try await attachmentsOneByOne(objectIDs)
    }
    var attachments: [Int64: [Attachment]] = [:]
    for group in groups {
      guard let objectID = group["parentObjectId"]?.integer else { continue }
      let own = group["attachmentInfos"]?.array ?? []
      attachments[objectID, default: []] += own.compactMap(Attachment.init(serviceJSON:))
    }
    return attachments
  }

  /// The contents of an attachment of a feature.
  ///
  /// - Throws: ``PortalError``, also for a page that has come in its place.
  public func data(
    of attachment: Attachment, of objectID: Int64
  ) async throws(PortalError) -> Data {
    try await client.attachment(
      at: url.appending(path: "\(objectID)/attachments/\(attachment.id)"), named: attachment.name,
      contentType: attachment.contentType)
  }

  /// The contents of an attachment of a feature.
  public func data(
    of attachment: Attachment.ID, of objectID: Int64
  ) async throws(PortalError) -> Data {
    try await client.data(url.appending(path: "\(objectID)/attachments/\(attachment)")).body
  }
}

extension RESTClient {
  /// The contents of an attachment.
  ///
  /// - Parameters:
  ///   - url: Where they are.
  ///   - name: The name of the file.
  ///   - contentType: What the service says that it is.
  /// - Returns: The contents.
  /// - Throws: ``PortalError``; ``PortalError/unexpected(_:reason:)`` for a page that has come in their place,
  ///   as in a network that wants people to sign in.
  public func attachment(
    at url: URL, named name: String, contentType: String
  ) async throws(PortalError) -> Data {
    let answer = try await data(url)
    let isPage = answer.headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
    let mayBePage = contentType.lowercased().contains("html") || name.lowercased().contains(".htm")
    guard !isPage || mayBePage || answer.body.isEmpty else {
      throw .unexpected(url.withoutSecrets, reason: "a page has come in place of \"\(name)\"")
    }
    return answer.body
  }
}

extension Attachment {
  /// Reads an entry of `attachmentInfos`; `nil` if it has no id.
  fileprivate init?(serviceJSON json: JSONValue) {
    guard let object = json.object, let id = json["id"]?.integer else { return nil }
    self.init(
      id: id, name: object.text("name") ?? "",
      contentType: object.filledText("contentType") ?? "application/octet-stream",
      // Services may say anything; sums of sizes have to be numbers.
      size: min(max(0, object.int("size") ?? 0), 1 << 50))
  }
}
