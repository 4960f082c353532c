internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension Portal {
  /// The status of a file that was uploaded in parts.
  enum UploadStatus: Hashable, Sendable {
    /// Parts are there that were not put together.
    case partial
    /// The portal is putting the parts together.
    case processing
    /// The item holds its file.
    case completed
  }

  /// Adds an item whose file follows in parts.
  ///
  /// Not repeated by itself: a second item would be there if only the answer was lost.
  ///
  /// - SeeAlso: Docs/REST.md, 2
  func add(_ item: NewPortalItem, owner: String) async throws(PortalError) -> PortalItem.ID {
    let url = try userURL(owner).appending(path: "addItem")
    let answer = try await client.json(url, item.upload, method: .post)
    guard let id = answer.object?.filledText("id") else {
      throw .unexpected(url.withoutSecrets, reason: "the new item has no id")
    }
    return try PortalItem.ID(id)
  }

  /// Changes the properties of an item; with `replacesFile` another file follows in parts.
  func change(
    _ id: PortalItem.ID, to item: NewPortalItem, owner: String, replacesFile: Bool = false
  ) async throws(PortalError) {
    let parameters = replacesFile ? item.upload : item.parameters
    _ = try await client.json(
      try url(of: id, owner).appending(path: "update"), parameters, method: .post)
  }

  /// Uploads a part of an item's file, counted from 1; one that is there already is replaced.
  func addPart(
    _ number: Int, _ data: Data, named name: String, of id: PortalItem.ID, owner: String
  ) async throws(PortalError) {
    let url = try url(of: id, owner).appending(path: "addPart").appending(queryItems: [
      URLQueryItem(name: "f", value: "json"), URLQueryItem(name: "partNum", value: "\(number)"),
    ])
    let form = MultipartForm(file: MultipartForm.File(field: "file", name: name, contents: data))
    // The same part twice is as good as once.
    _ = try await client.json(sending: form.request(to: url, repetition: .always))
  }

  /// Lets the portal put the parts of an item's file together; ``uploadStatus(of:owner:)`` tells
  /// when it has.
  func commit(
    _ id: PortalItem.ID, _ item: NewPortalItem, owner: String
  ) async throws(PortalError) {
    var parameters = item.parameters
    parameters["async"] = "true"
    _ = try await client.json(
      try url(of: id, owner).appending(path: "commit"), parameters, method: .post)
  }

  /// The status of an item's file on the portal.
  ///
  /// - Throws: ``PortalError/server(_:_:)`` with the portal's words if it could not store the file.
  func uploadStatus(
    of id: PortalItem.ID, owner: String
  ) async throws(PortalError) -> UploadStatus {
    let url = try url(of: id, owner).appending(path: "status")
    let answer = try await client.json(url)
    switch answer["status"]?.string?.lowercased() {
    case "partial": return .partial
    case "processing": return .processing
    // Without a word on why it is no error document.
    case "failed", "failure", "error":
      throw .server(url.withoutSecrets, ErrorEnvelope(code: nil, message: ""))
    default: return .completed
    }
  }

  /// Gives an item its picture.
  func setThumbnail(
    _ picture: Data, of id: PortalItem.ID, owner: String
  ) async throws(PortalError) {
    let url = try url(of: id, owner).appending(path: "update").appending(queryItems: [
      URLQueryItem(name: "f", value: "json")
    ])
    let form = MultipartForm(
      file: MultipartForm.File(
        field: "thumbnail", name: "thumbnail.png", type: "image/png", contents: picture))
    _ = try await client.json(sending: form.request(to: url, repetition: .always))
  }

  /// The sharing level of an item of the user's own, and the groups that it is shared with.
  func sharing(
    of id: PortalItem.ID, owner: String
  ) async throws(PortalError) -> (access: PortalItem.Access, groups: [PortalItem.ID]) {
    let answer = try await client.json(try url(of: id, owner))
    let sharing = answer.object?.object("sharing")
    let access = sharing?.filledText("access") ?? answer["item"]?.object?.filledText("access")
    // A group whose id cannot be one cannot be named to the portal, either.
    let groups = sharing?.texts("groups").compactMap { try? PortalItem.ID($0) } ?? []
    return (access.map(PortalItem.Access.init(rawValue:)) ?? .private, groups)
  }

  /// Shares an item with everyone, the organization or groups.
  ///
  /// - Returns: The groups that it could not be shared with.
  func share(
    _ id: PortalItem.ID, owner: String, access: PortalItem.Access, groups: [PortalItem.ID]
  ) async throws(PortalError) -> [String] {
    var parameters: RESTParameters = [:]
    parameters.set("everyone", access == .everyone)
    parameters.set("org", access == .organization || access == .everyone)
    parameters["groups"] = groups.isEmpty ? nil : groups.map(\.text).joined(separator: ",")
    let answer = try await client.json(
      try url(of: id, owner).appending(path: "share"), parameters, method: .post)
    return answer.object?.texts("notSharedWith") ?? []
  }

  /// Removes an item.
  func remove(_ id: PortalItem.ID, owner: String) async throws(PortalError) {
    _ = try await client.json(
      try url(of: id, owner).appending(path: "delete"), [:], method: .post)
  }

  private func url(of id: PortalItem.ID, _ owner: String) throws(PortalError) -> URL {
    try userURL(owner).appending(path: "items/\(id)")
  }

  private func userURL(_ owner: String) throws(PortalError) -> URL {
    let users = restURL.appending(path: "content/users")
    guard !owner.contains("/"), let url = users.appending(untrustedPath: owner) else {
      throw .invalidID(String(owner.prefix(100)))
    }
    return url
  }
}

extension NewPortalItem {
  /// The facts, and that the file comes in parts.
  fileprivate var upload: RESTParameters {
    parameters.merging(["multipart": "true", "filename": fileName, "overwrite": "true"])
  }
}
