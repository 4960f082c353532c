internal import Foundation
internal import PortolanJSON

/// The folders and owners of items, and copies of items.
extension ItemEditor {
  /// The folder that the address names; `nil` for none.
  ///
  /// - Throws: ``DemoFailure/badRequest(_:)`` if the owner has none of that name.
  func folder(of request: DemoRequest) async throws(DemoFailure) -> DemoFolder? {
    guard let name = request.captures["folder"] else { return nil }
    return try await folder(name, of: request.capture("user"))
  }

  /// A folder by what a request calls it: `/` and nothing stand for none.
  private func folder(
    _ name: String?, of owner: String
  ) async throws(DemoFailure) -> DemoFolder? {
    guard let name, name != "/", !name.isEmpty else { return nil }
    guard let folder = await state.folder(name, of: owner) else {
      throw .badRequest("Folder '\(name)' does not exist or is inaccessible.")
    }
    return folder
  }

  func move(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    return try await move(id, request)
  }

  func moveItems(_ request: DemoRequest) async throws -> JSONValue {
    let ids = request.parameters.list("items")
    for id in ids { _ = try await ownItem(id, of: request.viewer) }
    var results: [JSONValue] = []
    for id in ids { results.append(try await move(id, request)) }
    return ["results": .array(results)]
  }

  private func move(_ id: String, _ request: DemoRequest) async throws -> JSONValue {
    let owner = request.viewer.username ?? ""
    let folder = try await folder(request.parameters["folder"], of: owner)
    try await state.change(id) { $0.folder = folder?.id }
    return [
      "success": true, "itemId": .string(id), "owner": .string(owner),
      "folder": .text(folder?.id),
    ]
  }

  func protect(_ request: DemoRequest, _ isProtected: Bool) async throws -> JSONValue {
    let id = try await ownItem(request)
    try await state.change(id) { $0.isProtected = isProtected }
    return ["success": true]
  }

  /// Transfers an item to another user, as its owner or an administrator may.
  func reassign(_ request: DemoRequest) async throws -> JSONValue {
    guard let viewer = request.viewer.username else { throw DemoFailure.tokenRequired }
    guard let item = await state.item(request.capture("id")) else { throw DemoFailure.noItem }
    let isAdministrator = await state.user(viewer)?.role == "org_admin"
    guard item.owner == viewer || isAdministrator else { throw DemoFailure.notPermitted }
    guard let name = request.parameters["targetUsername"], let target = await state.user(name)
    else {
      throw DemoFailure.badRequest("'targetUsername' must be a member of the organization.")
    }
    let place = request.parameters.first(of: "targetFoldername", "targetFolderName")
    let folder = try await folder(place, of: target.username)
    try await state.change(item.id) { item in
      item.owner = target.username
      item.folder = folder?.id
    }
    return answer(item.id)
  }

  /// A new item of the viewer that holds what another does.
  func copy(_ request: DemoRequest) async throws -> JSONValue {
    guard let owner = request.viewer.username else { throw DemoFailure.tokenRequired }
    let source = try await state.item(request.capture("id"), for: request.viewer)
    var item = source
    item.id = await state.nextID()
    item.owner = owner
    item.created = state.clock.now()
    item.modified = item.created
    (item.numViews, item.groups, item.uploadedParts) = (0, [], [:])
    (item.access, item.isProtected) = (.private, false)
    item.title = request.parameters["title"] ?? "\(source.title) - Copy"
    if request.parameters["tags"] != nil { item.tags = request.parameters.list("tags") }
    item.folder = try await folder(request.parameters["folder"], of: owner)?.id
    if request.parameters.bool("includeResources") != true { item.resources = [] }
    await state.put(item)
    return ["success": true, "itemId": .string(item.id), "folder": .text(item.folder)]
  }
}
