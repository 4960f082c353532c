internal import Foundation
internal import PortolanApp
internal import PortolanJSON

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
      let types = body.object["kinds"]?.array?.compactMap(\.string)
      await browser.search(
        body.object["text"]?.string ?? "", types: types ?? PortalBrowserModel.mapTypes)
    }
    let state = browser.state
    if case .failed(let problem) = state.phase, state.rows.isEmpty { throw problem }
    return state.json
  }

  private func item(_ portal: PortalScreens, _ id: String) async throws(Problem) -> JSONValue {
    let model = try await portal.item(of: nil)
    await model.load(id)
    switch model.state {
    case .loaded(let details): return details.json
    case .failed(let problem): throw problem
    case .empty, .loading: throw Problem(message: "The item was not loaded.")
    }
  }

  private func webMap(_ portal: PortalScreens, _ id: String) async throws(Problem) -> JSONValue {
    let model = try await portal.webMap(of: nil)
    await model.load(id)
    switch model.state {
    case .loaded(let contents): return contents.json
    case .failed(let problem): throw problem
    case .empty, .loading: throw Problem(message: "The web map was not loaded.")
    }
  }
}
