internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanPortal

// What portals offer.
extension WebActions {
  func portal(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    guard let portal = app.portal else {
      throw Problem(message: "This app has no network.", kind: .absence)
    }
    switch name {
    case "search": return try await search(portal, body)
    case "item": return try await item(portal, try body.text("id"))
    case "web-map": return try await webMap(portal, try body.text("id"))
    case "areas":
      try await library().maps().add(webMap: body.text("webMap"))
      return [:]
    case "open":
      forms = [:]
      try await openOnline(try body.text("id"))
      return [:]
    default: throw Self.unknown("portal/\(name)")
    }
  }

  /// Opens a web map over the network.
  func openOnline(_ id: String) async throws(Problem) {
    guard let portal = app.portal else {
      throw Problem(message: "This app has no network.", kind: .absence)
    }
    let model = try await portal.webMap(of: nil)
    await model.load(id)
    if case .failed(let problem) = model.state { throw problem }
    await app.show(try await model.open())
  }

  private func search(
    _ portal: PortalScreens, _ body: ActionParameters
  ) async throws(Problem) -> JSONValue {
    let browser = try await portal.browser(of: nil)
    if body.object["more"]?.bool == true {
      await browser.showMore()
    } else {
      let kinds = body.object["kinds"]?.array?.compactMap { kind in
        kind.string.map { PortalItem.Kind(rawValue: $0) }
      }
      await browser.search(
        body.object["text"]?.string ?? "", kinds: kinds ?? [.webMap, .mobileMapPackage])
    }
    let state = browser.state
    if case .failed(let problem) = state.phase, state.rows.isEmpty { throw problem }
    return [
      "rows": .array(state.rows.map(\.pageJSON)), "total": JSONValue(state.total),
      "hasMore": .bool(state.hasMore),
    ]
  }

  private func item(_ portal: PortalScreens, _ id: String) async throws(Problem) -> JSONValue {
    let model = try await portal.item(of: nil)
    await model.load(id)
    switch model.state {
    case .loaded(let details): return details.pageJSON
    case .failed(let problem): throw problem
    case .empty, .loading: throw Problem(message: "The item was not loaded.")
    }
  }

  private func webMap(_ portal: PortalScreens, _ id: String) async throws(Problem) -> JSONValue {
    let model = try await portal.webMap(of: nil)
    await model.load(id)
    switch model.state {
    case .loaded(let contents):
      return [
        "title": .string(contents.title), "layers": .array(contents.layers.map(\.pageJSON)),
      ]
    case .failed(let problem): throw problem
    case .empty, .loading: throw Problem(message: "The web map was not loaded.")
    }
  }
}

extension PortalBrowserModel.Row {
  fileprivate var pageJSON: JSONValue {
    [
      "id": .string(id), "title": .string(title), "kind": .string(kind), "owner": JSONValue(owner),
      "snippet": JSONValue(snippet), "modified": JSONValue(modified),
      "size": JSONValue(size.map { Int($0) }),
    ]
  }
}

extension PortalItemModel.Details {
  fileprivate var pageJSON: JSONValue {
    [
      "id": .string(id), "title": .string(title), "kind": .string(kind), "owner": JSONValue(owner),
      "access": JSONValue(access), "created": JSONValue(created), "modified": JSONValue(modified),
      "size": JSONValue(size.map { Int($0) }), "snippet": JSONValue(snippet),
      "description": JSONValue(description), "tags": .array(tags.map { .string($0) }),
      "credits": JSONValue(credits), "terms": JSONValue(termsOfUse), "views": JSONValue(views),
      "problem": thumbnailProblem?.json ?? .null,
    ]
  }
}

extension WebMapModel.Row {
  fileprivate var pageJSON: JSONValue {
    [
      "id": .string(id), "title": .string(title), "type": .string(type),
      "groups": .array(groups.map { .string($0) }), "isBasemap": .bool(isBasemap),
      "status": .string(statusName), "problem": problem?.json ?? .null,
    ]
  }

  private var statusName: String {
    switch status {
    case .notLoaded: "not loaded"
    case .loading: "loading"
    case .loaded: "loaded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}
