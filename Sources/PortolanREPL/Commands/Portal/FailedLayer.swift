internal import PortolanApp

/// A layer that a command asks for again, or does without.
@MainActor
enum FailedLayer {
  /// One of the web map that is loaded.
  case ofWebMap(WebMapModel, WebMapModel.Row)
  /// One of an open map of this device, by its key.
  case ofMap(MapModel, key: String, title: String)

  var title: String {
    switch self {
    case .ofWebMap(_, let row): row.title
    case .ofMap(_, _, let title): title
    }
  }

  /// Asks for it again with the current sign-in.
  func retry() async throws(Problem) {
    switch self {
    case .ofWebMap(let model, let row): try await model.retry(row.id)
    case .ofMap(let map, let key, _): try await map.retry(key)
    }
  }

  /// Asks for it again as a user whom its server knows.
  func retry(
    as username: String, password: SignInSecret, with account: AccountScreens
  ) async throws(Problem) {
    switch self {
    case .ofWebMap(let model, let row):
      try await account.retry(row.id, of: model, as: username, password: password)
    case .ofMap(let map, let key, _):
      try await account.retry(key, of: map, as: username, password: password)
    }
  }

  /// The page of its map after it was treated; the layer's own problem if it still fails.
  var result: CommandResult {
    get throws {
      switch self {
      case .ofWebMap(let model, let row):
        guard let contents = model.state.contents else { throw PortalScreens.noWebMap }
        if let problem = contents.layers.first(where: { $0.id == row.id })?.problem {
          throw problem
        }
        let page = WebMapPage(contents: contents)
        return CommandResult(text: page.text, json: page.json)
      case .ofMap(let map, _, _):
        let page = TableOfContentsPage(state: map.tableOfContents.state)
        return CommandResult(text: page.text, json: page.json)
      }
    }
  }
}

extension PortalScreens {
  /// The failure of a command on a web map when none is loaded.
  static var noWebMap: UsageError {
    UsageError("No web map is loaded.", suggestion: "Load one with \"web-map ID\".")
  }

  /// A layer of the open map of this device, else of the web map that is loaded, by title or key.
  ///
  /// - Throws: A usage error if there is no map; a problem if there is no such layer, or more than one.
  func layer(named name: String, in session: Session) throws -> FailedLayer {
    if session.app.mapIndex != nil, let map = session.app.map {
      let key = try LayerChoice(named: name).key(in: map)
      let title = map.tableOfContents.state.flattened.first { $0.id == key }?.title
      return .ofMap(map, key: key, title: title ?? name)
    }
    guard let webMap, let contents = webMap.state.contents else {
      throw session.noWebMapLoaded
    }
    return .ofWebMap(webMap, try contents.row(named: name))
  }
}

extension Session {
  /// The failure of a command on a layer of the web map when none is loaded.
  var noWebMapLoaded: UsageError {
    UsageError(
      "No web map is loaded.",
      suggestion: keepsMap
        ? "Load one with \"web-map ID\", or name the map with --map MAP."
        : "Name the map with --map MAP.")
  }
}

extension WebMapModel.Contents {
  /// A layer by key, else by title, without case.
  fileprivate func row(named name: String) throws(Problem) -> WebMapModel.Row {
    let rows = layers.filter { $0.id == name }
    let titled = layers.filter { $0.title.lowercased() == name.lowercased() }
    let found = rows.isEmpty ? titled : rows
    guard let row = found.first else {
      throw Problem(
        message: "The web map has no layer \"\(name)\".",
        suggestion: Suggestion.sentence(for: name, orListing: layers.map(\.title)), kind: .absence)
    }
    guard found.count == 1 else {
      let keys = found.map(\.id).joined(separator: ", ")
      throw Problem(
        message: "Several layers are called \"\(name)\".",
        suggestion: "Name one by its key: \(keys).")
    }
    return row
  }
}
