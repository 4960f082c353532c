public import Foundation
public import Observation
public import PortolanFeatures
public import PortolanGeometry
public import PortolanMap
internal import PortolanPackages

/// The popups of the features that were found, a page each, of which one is selected.
@MainActor
@Observable
public final class PopupsModel {
  /// A page in the list.
  public struct Page: Hashable, Sendable, Codable {
    /// The layer's key in the map.
    public var layerID: String
    /// The layer's title.
    public var layerTitle: String
    /// The feature's object id.
    public var objectID: Int64
    /// The popup's title.
    public var title: String
    /// The reasons why expressions in the title have no value, a sentence each.
    public var notEvaluated: [String] = []
  }

  /// The selected feature, with its popup.
  public struct Selection: Hashable, Sendable, Codable {
    /// The place in the list of pages.
    public var index: Int
    /// The feature, for highlighting.
    public var feature: Feature
    /// The shape in degrees on WGS 84; `nil` if it has none, or none that can be projected.
    public var geometry: Geometry?
    /// The title and the parts of the popup.
    public var popup: Popup
    /// The files of the feature, if the popup shows them.
    public var attachments: [Attachment]
    /// The related records, by relationship, if the popup shows them.
    public var related: [RelatedRecords]
    /// The parts that could not be read.
    public var problems: [Problem]
  }

  /// The records of another table that belong to the selected feature.
  public struct RelatedRecords: Hashable, Sendable, Codable {
    /// The name of the relationship.
    public var name: String
    /// The records.
    public var features: [Feature]
    /// Their titles, one each.
    public var titles: [String]
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The pages, in the order the features were found.
    public var pages: [Page] = []
    /// The selected page, once its popup is there.
    public var selection: Selection?
    /// Whether there are features to go back to, from which related records were opened.
    public var canGoBack = false
  }

  /// The current state; observe this.
  public private(set) var state = State()

  /// Counts how often features were read again, after edits: what a screen shows from before may be out of
  /// date.
  public private(set) var reloadCount = 0

  @ObservationIgnored private(set) var sources: [PopupSource] = []
  /// The features that were shown before related records were opened, the last ones last.
  @ObservationIgnored var previous: [Previous] = []
  /// The page that was asked for last, whose popup may still be on its way.
  @ObservationIgnored private var wanted: Int?
  /// Counts what is requested, so that the answer to an older question changes nothing.
  @ObservationIgnored private(set) var questionNumber = 0
  /// Counts the questions whose answers are presented here.
  @ObservationIgnored private var lastAsked = 0
  /// The latest of those questions that was answered.
  @ObservationIgnored private var lastAnswered = 0
  @ObservationIgnored weak var map: MapModel?
  /// The formatting of values.
  @ObservationIgnored let formatting: PopupFormatting

  init(timeZone: TimeZone, locale: Locale? = nil) {
    formatting = PopupFormatting(timeZone: timeZone, locale: locale)
  }

  /// Numbers a question at the moment when it is asked; its answer is presented by that number.
  func ask() -> Int {
    lastAsked += 1
    return lastAsked
  }

  /// Whether the answer to a question that was asked later is shown.
  func isOvertaken(_ question: Int) -> Bool { question < lastAnswered }

  /// Takes over the features that were found, unless the answer to a question that was asked later is shown.
  ///
  /// - Parameters:
  ///   - sources: The features.
  ///   - question: The number of the question.
  /// - Returns: Whether they are shown; none is selected yet.
  func present(_ sources: [PopupSource], answering question: Int) -> Bool {
    guard !isOvertaken(question) else { return false }
    lastAnswered = question
    present(sources)
    return true
  }

  /// Takes over the features that were found; none is selected yet.
  func present(_ sources: [PopupSource]) {
    previous = []
    replace(sources)
  }

  /// Shows other features in place of those shown now; none is selected yet.
  func replace(_ sources: [PopupSource]) {
    self.sources = sources
    questionNumber += 1
    wanted = nil
    let pages = sources.map { source in
      let title = formatting.title(
        of: source.feature, in: source.content.schema, as: source.content.popup)
      return Page(
        layerID: source.layerID, layerTitle: source.layerTitle,
        objectID: source.feature.objectID, title: title.text, notEvaluated: title.notEvaluated)
    }
    state = State(pages: pages, canGoBack: !previous.isEmpty)
  }

  /// Selects a page, counted from 0, and reads what its popup shows.
  ///
  /// - Throws: A problem if there is no such page.
  public func select(_ index: Int) async throws(Problem) {
    guard sources.indices.contains(index) else {
      throw Problem(
        message: "There is no popup \(index.counted).",
        suggestion: sources.isEmpty
          ? "Find features first." : sources.count.choiceOfNumbers,
        kind: .absence, actions: sources.isEmpty ? [.init(.identify)] : [])
    }
    questionNumber += 1
    let number = questionNumber
    wanted = index
    let reader = PopupReader(source: sources[index], formatting: formatting)
    let selection = await reader.selection(index)
    // Meanwhile another page may have been requested, or other features been found.
    guard number == questionNumber else { return }
    state.selection = selection
  }

  /// Selects the next page, after the last one the first.
  public func selectNext() async throws(Problem) { try await step(1) }

  /// Selects the previous page, before the first one the last.
  public func selectPrevious() async throws(Problem) { try await step(-1) }

  /// Reads the features again, after edits; deleted ones leave the list.
  ///
  /// The selected one stays selected if it is still there, and those to go back to are read as well. `content`
  /// gives the data of a source as they are open now.
  func reload(_ content: (PopupSource) -> FeatureLayerContent) async {
    defer { reloadCount += 1 }
    let old = sources
    var fresh: [PopupSource] = []
    for source in old {
      if let source = await source.reloaded(from: content(source)) { fresh.append(source) }
    }
    let levels = previous.count
    var freshPrevious: [Previous] = []
    for level in previous {
      if let level = await level.reloaded(from: content) { freshPrevious.append(level) }
    }
    // Meanwhile other features may have been found.
    guard previous.count == levels, sources.elementsEqual(old, by: { $0.feature == $1.feature })
    else { return }
    previous = freshPrevious
    let selected = wanted.map { old[$0] }
    replace(fresh)
    let index = fresh.firstIndex {
      $0.feature.objectID == selected?.feature.objectID && $0.layerID == selected?.layerID
    }
    if let index {
      // The feature was found a moment ago; if it cannot be read now, none is selected.
      try? await select(index)
    }
  }

  /// Forgets the features.
  public func close() { present([]) }

  /// The contents of a file of the selected feature.
  ///
  /// - Throws: A problem if no feature is selected or the file cannot be read.
  public func data(of attachment: Attachment.ID) async throws(Problem) -> Data {
    let content = try selectedSource().content
    do {
      return try await content.store.data(of: attachment, in: content.schema.name)
    } catch {
      throw Problem(error)
    }
  }

  /// The feature whose popup is shown.
  ///
  /// - Throws: A problem if there is none.
  func selectedSource() throws(Problem) -> PopupSource {
    guard let selection = state.selection, sources.indices.contains(selection.index) else {
      throw Problem(
        message: "No popup is open.", suggestion: "Open a popup.", actions: [.init(.openPopup)])
    }
    return sources[selection.index]
  }

  private func step(_ direction: Int) async throws(Problem) {
    let count = max(1, sources.count)
    let next = wanted.map { ($0 + direction + count) % count } ?? 0
    try await select(next)
  }
}
