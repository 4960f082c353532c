internal import Foundation
internal import PortolanApp
internal import PortolanJSON

// The content of portals.
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
    case "retry-layer": return try await retryLayer(portal, body)
    case "open":
      try await open(try body.text("id"), portal)
      return [:]
    default: throw Self.unknown("portal/\(name)")
    }
  }

  /// Opens a web map as it was loaded for its item's screen, with the layers that were asked for
  /// again there, else from the start.
  private func open(_ id: String, _ portal: PortalScreens) async throws(Problem) {
    guard let model = portal.webMap, model.state.contents?.itemID == id else {
      try await app.openWebMap(id)
      return
    }
    try await app.open(model)
  }

  /// Asks for a layer of the web map again.
  private func retryLayer(
    _ portal: PortalScreens, _ body: ActionParameters
  ) async throws(Problem) -> JSONValue {
    let id = try body.text("webMap")
    // Another page may have loaded another one meanwhile.
    let model =
      if let loaded = portal.webMap, loaded.state.contents?.itemID == id {
        loaded
      } else {
        try await loadedWebMap(portal, id)
      }
    try await model.retry(try body.text("layer"))
    return try contents(of: model)
  }

  private func contents(of model: WebMapModel) throws(Problem) -> JSONValue {
    switch model.state {
    case .loaded(let contents): return model.pageJSON(of: contents)
    case .failed(let problem): throw problem
    case .empty, .loading: throw Problem(message: "The web map was not loaded.")
    }
  }

  private func search(
    _ portal: PortalScreens, _ body: ActionParameters
  ) async throws(Problem) -> JSONValue {
    // Another page may search for something else meanwhile.
    let browser = try await portal.newBrowser()
    let types = body.object["kinds"]?.array?.compactMap(\.string)
    await browser.search(
      body.object["text"]?.string ?? "", types: types ?? PortalBrowserModel.mapTypes,
      page: Int(clamping: body.object["page"]?.integer ?? 1))
    let state = browser.state
    if case .failed(let problem) = state.phase, state.rows.isEmpty { throw problem }
    return state.json(of: state.rows, states: await states(of: state.rows))
  }

  /// The states on this device of the packages found.
  private func states(
    of rows: [PortalBrowserModel.Row]
  ) async -> [String: PortalItemPresence] {
    // Searching works without the library; its own screen says why it does not open.
    guard let maps = try? await library().maps() else { return [:] }
    return PortalItemPresence.states(of: rows, among: maps.state.items)
  }

  private func item(_ portal: PortalScreens, _ id: String) async throws(Problem) -> JSONValue {
    let model = try await portal.item(of: nil)
    await model.load(id)
    switch model.state {
    case .loaded(let details):
      var members = details.json.object ?? [:]
      members["picture"] =
        details.thumbnail == nil ? .null : .string("/api/items/\(id.pathComponent)")
      return .object(members)
    case .failed(let problem): throw problem
    case .empty, .loading: throw Problem(message: "The item was not loaded.")
    }
  }

  private func webMap(_ portal: PortalScreens, _ id: String) async throws(Problem) -> JSONValue {
    try contents(of: await loadedWebMap(portal, id))
  }

  private func loadedWebMap(
    _ portal: PortalScreens, _ id: String
  ) async throws(Problem) -> WebMapModel {
    let model = try await portal.webMap(of: nil)
    await model.load(id)
    return model
  }
}
