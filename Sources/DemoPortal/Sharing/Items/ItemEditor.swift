internal import Foundation
internal import PortolanJSON

/// Changes items as their owners ask.
struct ItemEditor: Sendable {
  private static let maximumParts = 10_000

  let state: DemoState

  /// The id in the address, if its item is the viewer's own.
  func ownItem(_ request: DemoRequest) async throws(DemoFailure) -> String {
    try await ownItem(request.capture("id"), of: request.viewer)
  }

  func ownItem(
    _ id: String, of viewer: DemoViewer
  ) async throws(DemoFailure) -> String {
    guard viewer.isSignedIn else { throw .tokenRequired }
    let item = try await state.item(id, for: viewer)
    guard item.owner == viewer.username else { throw .notPermitted }
    return item.id
  }

  func answer(_ id: String) -> JSONValue {
    ["success": true, "itemId": .string(id)]
  }

  /// A new item; with `multipart=true` its file follows in parts.
  func add(_ request: DemoRequest) async throws -> JSONValue {
    guard let owner = request.viewer.username else { throw DemoFailure.tokenRequired }
    guard owner == request.capture("user") else { throw DemoFailure.notPermitted }
    guard let type = request.parameters["type"] else {
      throw DemoFailure.badRequest("'type' must be specified.")
    }
    var item = DemoItem(
      id: await state.nextID(), owner: owner,
      title: request.parameters["title"] ?? request.parts.first?.fileName ?? "Untitled", type: type,
      created: state.clock.now())
    item.access = .private
    item.folder = try await folder(of: request)?.id
    item.name = request.parameters.first(of: "fileName", "filename")
    try ItemChange(request).apply(to: &item)
    await state.put(item)
    return ["success": true, "id": .string(item.id), "folder": .text(item.folder)]
  }

  func addPart(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    guard let number = request.parameters.int("partNum"), (1...Self.maximumParts).contains(number)
    else { throw DemoFailure.badRequest("'partNum' is from 1 to \(Self.maximumParts).") }
    let body = request.parts.first?.body ?? request.body
    try await state.change(id) { $0.uploadedParts[number] = body }
    return answer(id)
  }

  /// Puts the parts together; the file takes the place of what the item held.
  func commit(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    let change = ItemChange(request)
    try await state.change(id) { item throws(DemoFailure) in
      var file = Data()
      for part in item.uploadedParts.sorted(by: { $0.key < $1.key }) { file.append(part.value) }
      item.uploadedParts = [:]
      if !file.isEmpty { item.content = .bytes(file) }
      try change.apply(to: &item)
    }
    return answer(id)
  }

  func status(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    let isPartial = await state.item(id)?.uploadedParts.isEmpty == false
    let status: JSONValue = isPartial ? "partial" : "completed"
    return ["status": status, "statusMessage": status, "itemId": .string(id)]
  }

  func update(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    let change = ItemChange(request)
    let parameters = request.parameters
    try await state.change(id) { item throws(DemoFailure) in
      // Another file is to follow in parts.
      if parameters.bool("multipart") == true {
        item.uploadedParts = [:]
        item.name = parameters.first(of: "fileName", "filename") ?? item.name
      }
      try change.apply(to: &item)
    }
    return ["success": true, "id": .string(id), "itemId": .string(id)]
  }

  func delete(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    guard await state.item(id)?.isProtected != true else { throw DemoFailure.protectedItem }
    await state.removeItem(id)
    return answer(id)
  }

  func share(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    let refused = try await share([id], request)
    return ["notSharedWith": refused, "itemId": .string(id)]
  }

  /// Shares several items at once, or takes groups away from them.
  func shareItems(_ request: DemoRequest, adding: Bool) async throws -> JSONValue {
    let ids = request.parameters.list("items")
    for id in ids { _ = try await ownItem(id, of: request.viewer) }
    var refused: JSONValue = []
    if adding {
      refused = try await share(ids, request)
    } else {
      let gone = Set(request.parameters.list("groups"))
      for id in ids { try await state.change(id) { $0.groups.removeAll(where: gone.contains) } }
    }
    return [
      "results": .array(
        ids.map { ["itemId": .string($0), "success": true, "notSharedWith": refused] })
    ]
  }

  /// Shares items; returns the groups that there are not, or that the user does not see.
  private func share(_ ids: [String], _ request: DemoRequest) async throws -> JSONValue {
    let parameters = request.parameters
    let asked = parameters.list("groups")
    let known = Set(await state.groups(for: request.viewer).map(\.id))
    let groups = asked.filter(known.contains)
    for id in ids {
      try await state.change(id) { item in
        item.groups = groups
        if parameters.bool("everyone") == true {
          item.access = .public
        } else if parameters.bool("org") == true {
          item.access = .org
        } else {
          item.access = groups.isEmpty ? .private : .shared
        }
      }
    }
    return .array(asked.filter { !known.contains($0) }.map { .string($0) })
  }

  func relate(_ request: DemoRequest) async throws -> JSONValue {
    let parameters = request.parameters
    guard request.viewer.isSignedIn else { throw DemoFailure.tokenRequired }
    guard let origin = parameters["originItemId"], let type = parameters["relationshipType"],
      let destination = parameters["destinationItemId"]
    else { throw DemoFailure.badRequest("Two items and a relationship type are needed.") }
    _ = try await state.item(origin, for: request.viewer)
    _ = try await state.item(destination, for: request.viewer)
    await state.relate(origin, to: destination, as: type)
    return ["success": true]
  }

  func addResource(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    let part = request.parts.first
    guard let name = request.parameters["fileName"] ?? part?.fileName,
      let body = part?.body ?? request.parameters["text"].map({ Data($0.utf8) })
    else { throw DemoFailure.badRequest("A file or a text is needed.") }
    let prefix = request.parameters["resourcesPrefix"].map { $0 + "/" } ?? ""
    let resource = DemoItem.Resource(name: prefix + name, body: body, created: state.clock.now())
    try await state.change(id) { item in
      item.resources.removeAll { $0.name == resource.name }
      item.resources.append(resource)
    }
    return [
      "success": true, "itemId": .string(id), "owner": .text(request.viewer.username),
      "folder": .null,
    ]
  }

  func removeResources(_ request: DemoRequest) async throws -> JSONValue {
    let id = try await ownItem(request)
    let name = request.parameters["resource"]
    let removesAll = request.parameters.bool("deleteAll") == true
    try await state.change(id) { item in
      item.resources.removeAll { removesAll || $0.name == name }
    }
    return ["success": true]
  }
}
