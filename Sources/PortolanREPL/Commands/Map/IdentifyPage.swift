internal import PortolanApp
internal import PortolanJSON

/// The features found at a place, as text and as JSON.
struct IdentifyPage {
  let state: IdentifyModel.State
  let popups: PopupsModel.State

  private var results: [IdentifyModel.LayerResult] { state.results }

  /// In part, if a layer could not be asked.
  var status: ExitCode { results.contains { $0.problem != nil } ? .partlyDone : .done }

  var text: TextDocument {
    guard !results.isEmpty else { return TextDocument("Nothing was found here.") }
    var blocks: [TextDocument.Block] = []
    if results.allSatisfy(\.features.isEmpty) {
      blocks.append(.line("Nothing was found in the layers that can be read."))
    }
    let numbers = ListNumber(upTo: popups.pages.count)
    var number = 0
    for result in results {
      let more = result.isCut ? " (the nearest \(result.features.count))" : ""
      blocks.append(.heading(result.title + more))
      if let problem = result.problem { blocks.append(.paragraph(problem.message, indent: 2)) }
      let pages = popups.pages.dropFirst(number).prefix(result.features.count)
      for page in pages {
        number += 1
        blocks.append(.line("  \(numbers.text(number))  \(page.title) (id \(page.objectID))"))
      }
      blocks += Self.notes(on: pages)
    }
    return TextDocument(blocks)
  }

  /// The reasons why the titles lack something: once, though they hold for all features of a layer.
  private static func notes(on pages: ArraySlice<PopupsModel.Page>) -> [TextDocument.Block] {
    let sentences = pages.flatMap(\.notEvaluated).reduce(into: [String]()) { all, sentence in
      if !all.contains(sentence) { all.append(sentence) }
    }
    return sentences.map { .paragraph("Note: \($0)", indent: 2) }
  }

  var json: JSONValue { ["layers": state.layersJSON(with: popups)] }
}
