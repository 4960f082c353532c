internal import Foundation
internal import PortolanJSON

/// The addresses of a user's items and of the folders that hold them.
struct FolderRoutes: Sendable {
  let state: DemoState

  func add(to router: inout Router) {
    let state = state
    for root in SharingRoot.all {
      let user = root + "/content/users/{user}"
      router.add(user) { try await Self.items($0, state) }
      router.add(user + "/{folder}") { try await Self.items($0, state) }
      router.add(user + "/createFolder") { .json(try await Self.create($0, state)) }
      router.add(user + "/{folder}/updateFolder") { .json(try await Self.rename($0, state)) }
      router.add(user + "/{folder}/delete") { .json(try await Self.delete($0, state)) }
    }
  }

  /// The items of a user that are in no folder or in the one of the address, as far as the viewer
  /// may see them.
  private static func items(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    let owner = request.capture("user")
    guard request.viewer.isSignedIn else { throw DemoFailure.tokenRequired }
    let folder = try await ItemEditor(state: state).folder(of: request)
    let items = await state.items(for: request.viewer).filter {
      $0.owner == owner && $0.folder == folder?.id
    }
    let page = try ResultPage(items, request.parameters)
    let shown = await ItemPresenter(state: state).list(page.elements, request)
    let list = page.json("items", shown)
    var more: JSONObject = [
      "username": .string(owner), "currentFolder": folder?.json ?? .null,
    ]
    if folder == nil {
      more["folders"] = .array(await state.folders(of: owner).map(\.json))
    }
    return .json(.object(JSONObject(more.members + list.members)))
  }

  /// The user of the address, if that is who asks to change something.
  private static func owner(_ request: DemoRequest) throws -> String {
    try request.requirePost()
    guard let viewer = request.viewer.username else { throw DemoFailure.tokenRequired }
    guard viewer == request.capture("user") else { throw DemoFailure.notPermitted }
    return viewer
  }

  private static func create(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> JSONValue {
    let owner = try owner(request)
    guard let title = request.parameters.first(of: "title", "folderName") else {
      throw DemoFailure.badRequest("'title' must be specified.")
    }
    return ["success": true, "folder": try await state.addFolder(title, of: owner).json]
  }

  private static func rename(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> JSONValue {
    _ = try owner(request)
    guard let title = request.parameters.first(of: "newTitle", "title") else {
      throw DemoFailure.badRequest("'newTitle' must be specified.")
    }
    guard let folder = try await ItemEditor(state: state).folder(of: request) else {
      throw DemoFailure.notFound(request.path)
    }
    return ["success": true, "folder": try await state.rename(folder, to: title).json]
  }

  private static func delete(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> JSONValue {
    _ = try owner(request)
    guard let folder = try await ItemEditor(state: state).folder(of: request) else {
      throw DemoFailure.notFound(request.path)
    }
    try await state.remove(folder)
    return ["success": true, "folder": folder.json]
  }
}

extension DemoFolder {
  /// The folder as ArcGIS Online describes it.
  fileprivate var json: JSONValue {
    [
      "username": .string(owner), "id": .string(id), "title": .string(title),
      "created": .integer(created.epochMilliseconds),
    ]
  }
}
