internal import Foundation
internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

// The open map.
extension WebActions {
  func map(
    _ name: String, _ body: ActionParameters, for browser: String
  ) async throws(Problem) -> JSONValue {
    switch name {
    case "open":
      let index = body.object["index"]?.integer.map { Int(clamping: $0) }
      try await open(try body.text("id"), map: index)
    case "close": await app.close()
    case "layer":
      let (id, isOn) = (try body.text("id"), try body.flag("isOn"))
      try openMap().tableOfContents.setOn(id, isOn)
    case "retry-layers": await app.retryRefusedLayers()
    case "scale": try openMap().setScale(try scale(body))
    case "identify": return try await identify(body)
    case "popup", "related", "related-back": return try await turn(name, body)
    case "feature", "feature-show": return try await feature(name, body)
    case "popup-close":
      try requireSameQuestion(body)
      try openMap().popups.close()
    case "bookmark-add":
      let map = try openMap(of: body.object["opening"]?.integer)
      let place = Coordinate(x: try body.number("longitude"), y: try body.number("latitude"))
      try map.go(to: .center(place, scale: try scale(body), spatialReference: .wgs84))
      try await map.bookmarks.add(try body.text("name"))
    case "bookmark-remove":
      let map = try openMap(of: body.object["opening"]?.integer)
      try await map.bookmarks.remove(own: try body.text("name"))
    case "move", "remove", "detach", "undo", "changes": return try await edit(name, body)
    case "suggest", "find", "pick", "place": return try await search(name, body)
    case "form", "form-set", "form-template", "form-draw", "form-submit", "form-cancel":
      return try await form(name, body, for: browser)
    default: throw Self.unknown("map/\(name)")
    }
    return [:]
  }

  /// Opens a row of the list, or a map that is stored although no row says so yet.
  private func open(_ id: String, map index: Int?) async throws(Problem) {
    guard let item = try await library().maps().state.items.first(where: { $0.id == id }) else {
      return try await app.openStored(id, map: index)
    }
    try await app.open(item, map: index)
  }

  private func scale(_ body: ActionParameters) throws(Problem) -> Double {
    min(max(try body.number("scale"), 1), 1e9)
  }

  private func identify(_ body: ActionParameters) async throws(Problem) -> JSONValue {
    let map = try openMap()
    let (x, y) = (try body.number("longitude"), try body.number("latitude"))
    let asked = beginQuestion()
    try map.go(
      to: .center(Coordinate(x: x, y: y), scale: try scale(body), spatialReference: .wgs84))
    await map.identify.identify(longitude: x, latitude: y)
    try requireStill(asked)
    if case .failed(let problem) = map.identify.state { throw problem }
    if !map.popups.state.pages.isEmpty { try await map.popups.select(0) }
    try requireStill(asked)
    return popups(of: map)
  }

  /// Turns to another of the features that were found for a page, or to its related records and back.
  private func turn(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let map = try openMap()
    let asked = try requireSameQuestion(body)
    switch name {
    case "popup":
      let index = Int(clamping: try body.integer("index"))
      try await map.popups.select(try shownPage(body, of: map) ?? index)
    case "related":
      if let shown = try shownPage(body, of: map), shown != map.popups.state.selection?.index {
        try await map.popups.select(shown)
      }
      try await map.popups.openRelated(
        Int(clamping: try body.integer("index")), of: try body.text("name"))
    default: try await map.popups.goBack()
    }
    try requireStill(asked)
    return popups(of: map)
  }

  /// The index of the feature that a page shows among those that were found: it decreases when
  /// others before it are deleted; `nil` if the page does not name it.
  private func shownPage(
    _ body: ActionParameters, of map: MapModel
  ) throws(Problem) -> Int? {
    guard let id = body.object["objectID"]?.integer, let layer = body.object["layer"]?.string
    else { return nil }
    let place = map.popups.state.pages.firstIndex { $0.objectID == id && $0.layerID == layer }
    guard let place else {
      throw Problem(
        message: "The feature is no longer among those that were found.",
        suggestion: "Select features again.", kind: .absence)
    }
    return place
  }

  /// The current state of a feature that a page shows as it was, or its popup in place of those of
  /// all pages.
  private func feature(
    _ name: String, _ body: ActionParameters
  ) async throws(Problem) -> JSONValue {
    let map = try openMap(of: body.object["opening"]?.integer)
    let (id, layer) = (try body.integer("objectID"), try body.text("layer"))
    guard name == "feature-show" else {
      let popup = try await map.editing.presentPopup(of: id, in: layer)
      return ["seenPopup": popup.map { .string("\($0.number)") } ?? .null]
    }
    let asked = beginQuestion()
    try await map.editing.showPopup(of: id, in: layer)
    try requireStill(asked)
    return popups(of: map)
  }

  // MARK: - Edits

  private func edit(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let map = try openMap(of: body.object["opening"]?.integer)
    switch name {
    case "move", "remove", "detach": return try await editFeature(name, body, of: map)
    case "undo":
      let number = try editNumber(body, on: map)
      return ["undone": JSONValue(try await map.editing.undo(number).count)]
    default: return try await map.editing.changes().json
    }
  }

  private func editFeature(
    _ name: String, _ body: ActionParameters, of map: MapModel
  ) async throws(Problem) -> JSONValue {
    let (id, layer) = (try body.integer("objectID"), try body.text("layer"))
    let edit: EditingModel.StoredEdit
    switch name {
    case "move":
      edit = try await map.editing.move(
        id, in: layer, to: try body.sketch(), ifStill: body.seenFeature)
    case "remove":
      edit = try await map.editing.remove(id, in: layer, ifStill: body.seenFeature)
      return ["edit": mark(of: edit, on: map)]
    default:
      edit = try await map.editing.removeAttachment(
        try body.integer("attachment"), of: id, in: layer)
    }
    return await edited(edit, in: layer, of: map, asked: body.question)
  }

  /// Attaches a file to a feature of the open map, or puts it in place of one that is there.
  ///
  /// - Parameters:
  ///   - attachment: The file.
  ///   - objectID: The feature.
  ///   - layer: The key of its layer.
  ///   - old: The attachment whose place it takes.
  ///   - page: The numbers of the map and of the question whose answer the page shows.
  /// - Returns: The popups of the page.
  /// - Throws: A problem if another map is open by now, or the file cannot be stored.
  func attach(
    _ attachment: NewAttachment, to objectID: Int64, in layer: String, replacing old: Int64?,
    for page: (opening: Int64?, question: Int64?)
  ) async throws(Problem) -> JSONValue {
    let map = try openMap(of: page.opening)
    let edit: EditingModel.StoredEdit
    if let old {
      edit = try await map.editing.replaceAttachment(
        old, with: attachment, of: objectID, in: layer)
    } else {
      edit = try await map.editing.attach(attachment, to: objectID, in: layer)
    }
    return await edited(edit, in: layer, of: map, asked: page.question)
  }

  // MARK: - Forms

  private func form(
    _ name: String, _ body: ActionParameters, for browser: String
  ) async throws(Problem) -> JSONValue {
    let map = try openMap(of: body.object["opening"]?.integer)
    if name == "form" { return try await openForm(body, map, for: browser) }
    let number = try body.integer("form")
    let form = try forms.form(number, of: browser, opening: revisions.opening(of: map))
    switch name {
    case "form-set":
      try form.model.setText(
        try body.text("text"), of: try body.text("field"), isCode: body.isOn("isCode"))
    case "form-template": try form.model.useTemplate(named: try body.text("name"))
    case "form-draw": try form.model.draw(try body.sketch())
    case "form-submit":
      let edit = try await submit(form, number)
      let popups = await edited(edit, in: form.layer, of: map, asked: form.question)
      return ["objectID": .integer(edit.objectID), "popups": popups]
    default:
      forms.remove(number)
      return [:]
    }
    return form.pageJSON(number)
  }

  /// Stores what a form holds, once: a second click while that continues finds no form.
  private func submit(
    _ form: OpenForms.Form, _ number: Int64
  ) async throws(Problem) -> EditingModel.StoredEdit {
    forms.remove(number)
    do { return try await form.model.submit() } catch {
      forms.restore(number, form)
      throw error
    }
  }

  private func openForm(
    _ body: ActionParameters, _ map: MapModel, for browser: String
  ) async throws(Problem) -> JSONValue {
    let layer = try body.text("layer")
    let model: FeatureFormModel
    if let objectID = body.object["objectID"]?.integer {
      model = try await map.editing.form(for: objectID, in: layer)
    } else {
      model = try await map.editing.formForNewFeature(in: layer)
    }
    if body.object["parts"]?.array != nil { try model.draw(try body.sketch()) }
    // A form of a map that was closed would take the place of those of the one that is open.
    try requireOpen(map)
    let form = OpenForms.Form(
      model: model, layer: layer, browser: browser, opening: revisions.opening(of: map),
      question: body.question)
    return form.pageJSON(forms.add(form))
  }
}

extension ActionParameters {
  /// The number of the question whose answer the page shows, if it shows one.
  var question: Int64? { object["question"]?.integer }

  /// The feature as the page showed it before the change, if it says so.
  fileprivate var seenFeature: SeenFeature? {
    object["seen"]?.string.flatMap(Int.init).map(SeenFeature.init(number:))
  }
}

extension OpenForms.Form {
  /// The members of a form for the page, with the number by which it names the form.
  @MainActor fileprivate func pageJSON(_ number: Int64) -> JSONValue {
    var members = model.pageJSON(layer: layer).object ?? [:]
    members["form"] = .integer(number)
    return .object(members)
  }
}
