internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// Items: what they are, what they hold, and what belongs to them.
struct ItemRoutes: Sendable {
  let state: DemoState

  func add(to router: inout Router) {
    let presenter = ItemPresenter(state: state)
    let state = state
    for root in SharingRoot.all {
      let item = root + "/content/items/{id}"
      router.add(item) { .json(try await presenter.json(try await Self.item($0, state), $0)) }
      router.add(item + "/data") {
        try await presenter.data(of: try await Self.item($0, state), $0)
      }
      router.add(item + "/item.pkinfo") {
        try await presenter.data(of: try await Self.item($0, state), $0)
      }
      router.add(item + "/info/thumbnail/{name}") {
        try presenter.thumbnail(of: try await Self.item($0, state))
      }
      router.add(item + "/info/iteminfo.xml") {
        try await presenter.information(of: Self.item($0, state), $0)
      }
      router.add(item + "/relatedItems") { try await Self.relatedItems($0, state, presenter) }
      router.add(item + "/groups") { request in
        _ = try await Self.item(request, state)
        return .json(["admin": [], "other": [], "member": []])
      }
      router.add(item + "/resources") { .json(try await Self.resources($0, state)) }
      router.add(item + "/resources/{name...}") { try await Self.resource($0, state) }
      router.add(root + "/content/users/{user}/items/{id}") {
        try await Self.ownerView($0, state, presenter)
      }
      router.add(root + "/content/users/{user}/{folder}/items/{id}") {
        try await Self.ownerView($0, state, presenter)
      }
    }
    router.add("/demo/storage/{id}/{name}", realm: nil) { try await presenter.stored($0) }
  }

  private static func item(
    _ request: DemoRequest, _ state: DemoState
  ) async throws(DemoFailure) -> DemoItem {
    try await state.item(request.capture("id"), for: request.viewer)
  }

  private static func ownerView(
    _ request: DemoRequest, _ state: DemoState, _ presenter: ItemPresenter
  ) async throws -> DemoResponse {
    let item = try await item(request, state)
    guard request.viewer.username == item.owner else { throw DemoFailure.notPermitted }
    return .json([
      "item": try await presenter.json(item, request),
      "sharing": ["access": .string(item.access.rawValue), "groups": .texts(item.groups)],
    ])
  }

  /// Clients ask for `relationshipType` and for `relationshipTypes`, one or several.
  private static func relatedItems(
    _ request: DemoRequest, _ state: DemoState, _ presenter: ItemPresenter
  ) async throws -> DemoResponse {
    let parameters = request.parameters
    let item = try await item(request, state)
    let related = await state.related(
      to: item.id,
      types: parameters.list("relationshipTypes") + parameters.list("relationshipType"),
      isForward: parameters["direction"]?.lowercased() != "reverse", for: request.viewer)
    let page = try ResultPage(related, parameters)
    let items = await presenter.list(page.elements, request)
    return .json(.object(page.json("relatedItems", items)))
  }

  private static func resources(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> JSONValue {
    let item = try await item(request, state)
    let prefix = request.parameters["resourcesPrefix"].map { $0 + "/" } ?? ""
    let page = try ResultPage(
      item.resources.filter { $0.name.hasPrefix(prefix) }, request.parameters, limit: 500)
    return .object(
      page.json(
        "resources",
        page.elements.map {
          [
            "resource": .string($0.name), "created": .integer($0.created.epochMilliseconds),
            "size": .integer(Int64($0.body.count)), "access": "inherit",
          ]
        }))
  }

  private static func resource(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    let item = try await item(request, state)
    let name = request.capture("name")
    guard let resource = item.resources.first(where: { $0.name == name }) else {
      throw DemoFailure(
        code: 404, "Resource does not exist or is inaccessible.", messageCode: "CONT_0004")
    }
    var body = resource.body
    if name.hasSuffix(".json") {
      let text = String(decoding: body, as: UTF8.self)
      body = Data(DemoItem.placed(text, at: request.base.absoluteString).utf8)
    }
    return .download(
      .bytes(body), type: MediaType.of(name),
      tag: "\(item.id)-\(resource.created.epochMilliseconds)-\(resource.body.count)")
  }
}

/// The media types of files by their names.
enum MediaType {
  static func of(_ name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "json": "application/json"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "xml": "text/xml"
    case "txt": "text/plain"
    case "csv": "text/csv"
    case "pdf": "application/pdf"
    case "zip", "mmpk", "vtpk", "tpkx", "tpk": "application/zip"
    default: "application/octet-stream"
    }
  }
}
