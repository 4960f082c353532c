internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// The requests of pages: each action is a call of a screen's model.
@MainActor
final class WebActions {
  let app: AppModel
  let account: AccountScreens
  /// The demo portal, if the app was started with one.
  let demo: (any TourStage)?
  /// Numbers the maps that are opened.
  let revisions: MapRevisions
  /// Files that are being sent.
  let uploads = WebUploads()
  /// Files that were made to be saved.
  let downloads = WebDownloads()
  /// The folders of packages that were to be shared, by the ids of their maps.
  var sharedDrafts: [String: URL] = [:]
  /// The sign-ins to servers that are under way, by the addresses that were typed.
  var serverSignIns: [String: Task<Result<SignedInUser, Problem>, Never>] = [:]
  /// Whether a package is being written to be shared, or shared.
  var isSharing = false
  /// The screen of synchronizations, once it was requested.
  var syncScreen: SyncModel?
  /// The forms that are open.
  var forms = OpenForms()
  /// Counts what was asked of the map: all pages share what was found.
  private var question: Int64 = 0

  init(
    app: AppModel, account: AccountScreens, revisions: MapRevisions, demo: (any TourStage)?
  ) {
    self.app = app
    self.revisions = revisions
    self.account = account
    self.demo = demo
  }

  /// Whether an address has the form of one of an action: a family and what is done.
  nonisolated static func isAction(_ parts: [String]) -> Bool {
    parts.count == 2 && Family(rawValue: parts[0]) != nil
  }

  /// The family of actions, by the beginning of their addresses.
  private enum Family: String {
    case session, network, portal, maps, jobs, map, storage, tiles, offline, sync, settings, preview
  }

  /// Does what a page requests, and meanwhile informs all pages which host its requests wait for.
  ///
  /// - Parameters:
  ///   - name: The name of the action: a family and what is done, such as `maps/delete`.
  ///   - body: Its parameters.
  ///   - browser: The browser that asks.
  /// - Returns: What the action answers.
  /// - Throws: A problem; an absence if there is no such action.
  func perform(
    _ name: String, _ body: ActionParameters, for browser: String
  ) async throws(Problem) -> JSONValue {
    let result = await account.hostWaits.reporting { () async -> Result<JSONValue, Problem> in
      do throws(Problem) { return .success(try await answer(name, body, for: browser)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func answer(
    _ name: String, _ body: ActionParameters, for browser: String
  ) async throws(Problem) -> JSONValue {
    let words = name.split(separator: "/").map(String.init)
    guard words.count == 2, let family = Family(rawValue: words[0]) else {
      throw Self.unknown(name)
    }
    return switch family {
    case .session: try await session(words[1], body)
    case .network: try await network(words[1])
    case .portal: try await portal(words[1], body)
    case .maps: try await maps(words[1], body)
    case .jobs: try await jobs(words[1], body)
    case .map: try await map(words[1], body, for: browser)
    case .storage: try await storage(words[1], body)
    case .tiles: try await tiles(words[1], body)
    case .offline: try await offline(words[1], body)
    case .sync: try await sync(words[1], body)
    case .settings: try await settings(words[1], body)
    case .preview: try await preview(words[1])
    }
  }

  /// Removes the files on their way between pages and this device.
  func end() async {
    await uploads.removeAll()
    await downloads.removeAll()
    for folder in sharedDrafts.values { TemporaryFolder.remove(folder) }
    sharedDrafts = [:]
  }

  static func unknown(_ name: String) -> Problem {
    Problem(
      message: "There is no action \"\(name)\".", suggestion: "Reload the page.", kind: .absence)
  }

  // MARK: - What is on this device

  func library() throws(Problem) -> LibraryScreens {
    guard let library = app.library else {
      throw Problem(message: "This app keeps no maps.", kind: .absence)
    }
    return library
  }

  func openMap() throws(Problem) -> MapModel {
    guard let map = app.map else {
      throw Problem(message: "No map is open.", suggestion: "Open one first.", kind: .absence)
    }
    return map
  }

  /// The open map, if it is still the one that the page had open when it asked: an edit of another map
  /// must not apply to a feature of this one that has the same number.
  func openMap(of opening: Int64?) throws(Problem) -> MapModel {
    let map = try openMap()
    guard let opening, opening != revisions.opening(of: map) else { return map }
    throw Self.otherMap
  }

  /// Refuses to continue with a map that was closed while something was read.
  func requireOpen(_ map: MapModel) throws(Problem) {
    guard app.map === map else { throw Self.otherMap }
  }

  private static let otherMap = Problem(
    message: "Another map was opened meanwhile.",
    suggestion: "Look at the map that is open now, and edit that.")

  /// The features that were found, with the number of the map that they are of.
  func popups(of map: MapModel) -> JSONValue {
    var members = map.popupsJSON.object ?? [:]
    members["opening"] = JSONValue(revisions.opening(of: map))
    members["question"] = .integer(question)
    // As text: JavaScript has no integers of that size.
    members["seen"] =
      map.popups.state.selection.map { .string("\(SeenFeature($0.feature).number)") } ?? .null
    members["seenPopup"] =
      map.popups.state.selection.map { .string("\(SeenPopup($0).number)") } ?? .null
    return .object(members)
  }

  /// Notes that other features are looked for from now on, and gives the number of that question.
  @discardableResult
  func beginQuestion() -> Int64 {
    question += 1
    return question
  }

  /// Refuses to continue in what was found for a page after another has looked for something else.
  ///
  /// - Returns: The number of the question that was asked last.
  @discardableResult
  func requireSameQuestion(_ body: ActionParameters) throws(Problem) -> Int64 {
    if let asked = body.question { try requireStill(asked) }
    return question
  }

  /// Refuses to answer a question with what was found for another that was asked while it was answered.
  func requireStill(_ asked: Int64) throws(Problem) {
    guard asked != question else { return }
    throw Problem(
      message: "Another page has selected other features meanwhile.",
      suggestion: "Select the feature again.")
  }

  /// The popups of a page after an edit of a feature, with what the edit is undone by.
  ///
  /// Where the page shows no popups, or others have looked for something else meanwhile, the feature alone takes the
  /// place of what is shown; nothing is answered of what it cannot take the place of.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - layer: The key of the layer of its feature.
  ///   - map: The map that it is of.
  ///   - asked: The number of the question whose answer the page shows.
  /// - Returns: The popups and the text.
  func edited(
    _ edit: EditingModel.StoredEdit, in layer: String, of map: MapModel, asked: Int64?
  ) async -> JSONValue {
    let isShown =
      if asked == question { true } else { await show(edit.objectID, in: layer, of: map) }
    var members = isShown ? popups(of: map).object ?? [:] : [:]
    members["edit"] = mark(of: edit, on: map)
    return .object(members)
  }

  /// The mark by which a page undoes an edit: its number, and that of the map, since each map
  /// counts its own.
  func mark(of edit: EditingModel.StoredEdit, on map: MapModel) -> JSONValue {
    .string("\(revisions.opening(of: map))-\(edit.number)")
  }

  /// Shows the popup of a feature that was edited in place of those of all pages.
  ///
  /// - Returns: Whether it is shown; what was stored stays stored where it cannot be.
  private func show(_ objectID: Int64, in layer: String, of map: MapModel) async -> Bool {
    let asked = beginQuestion()
    do { try await map.editing.showPopup(of: objectID, in: layer) } catch { return false }
    return asked == question
  }

  /// The number of the edit that a page wants to undo; `nil` if it wants to undo the last one.
  ///
  /// - Throws: A problem if it was an edit of another map.
  func editNumber(_ body: ActionParameters, on map: MapModel) throws(Problem) -> Int64? {
    guard let mark = body.object["edit"], mark != .null else { return nil }
    let numbers = (mark.string ?? "").split(separator: "-").compactMap { Int64($0) }
    guard numbers.count == 2 else { throw body.missing("edit") }
    guard numbers[0] == Int64(revisions.opening(of: map)) else { throw Self.otherMap }
    return numbers[1]
  }
}

/// The parameters of an action, as a page sent them.
struct ActionParameters {
  let object: JSONObject

  /// A text that must be there.
  func text(_ name: String) throws(Problem) -> String {
    guard let text = object[name]?.string else { throw missing(name) }
    return text
  }

  /// Texts, none where there is no list of them.
  func texts(_ name: String) -> [String] { object[name]?.array?.compactMap(\.string) ?? [] }

  /// A number that must be there.
  func number(_ name: String) throws(Problem) -> Double {
    guard let number = object[name]?.double, number.isFinite else { throw missing(name) }
    return number
  }

  /// A whole number that must be there.
  func integer(_ name: String) throws(Problem) -> Int64 {
    guard let number = object[name]?.integer else { throw missing(name) }
    return number
  }

  /// A switch that must be there.
  func flag(_ name: String) throws(Problem) -> Bool {
    guard let flag = object[name]?.bool else { throw missing(name) }
    return flag
  }

  /// Whether a switch is there and on.
  func isOn(_ name: String) -> Bool { object[name]?.bool == true }

  /// The parts of a sketch, each a list of positions as longitude and latitude.
  func sketch() throws(Problem) -> Sketch {
    let parts = object["parts"]?.array ?? []
    let vertices = parts.map { part in (part.array ?? []).compactMap(Self.vertex) }
    guard !parts.isEmpty, !vertices.contains([]),
      vertices.map(\.count) == parts.map({ $0.array?.count ?? 0 })
    else { throw missing("parts") }
    guard vertices.joined().allSatisfy({ abs($0.x) <= 180 }) else {
      throw Problem(
        message: "The shape reaches over the 180th meridian.",
        suggestion: "Draw it on one side of the meridian.")
    }
    return .parts(vertices, .wgs84)
  }

  /// A vertex in degrees; on a map that shows the world side by side east and west may be beyond 180.
  private static func vertex(_ pair: JSONValue) -> Sketch.Vertex? {
    guard let x = pair[0]?.double, let y = pair[1]?.double, abs(x) <= 540, abs(y) <= 90 else {
      return nil
    }
    return Sketch.Vertex(x: x, y: y, z: pair[2]?.double)
  }

  /// The problem that a parameter is missing, or invalid.
  func missing(_ name: String) -> Problem {
    Problem(
      .usage, message: "The request has no valid \"\(name)\".", suggestion: "Reload the page.")
  }
}
