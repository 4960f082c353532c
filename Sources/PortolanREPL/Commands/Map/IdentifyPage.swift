internal import PortolanApp
internal import PortolanJSON

/// What was found at a place, as text and as JSON.
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
    var number = 0
    for result in results {
      let more = result.isCut ? " (the nearest \(result.features.count))" : ""
      blocks.append(.heading(result.title + more))
      if let problem = result.problem { blocks.append(.paragraph(problem.message, indent: 2)) }
      for _ in result.features where popups.pages.indices.contains(number) {
        let page = popups.pages[number]
        blocks.append(.line("  \(number + 1)  \(page.title) (id \(page.objectID))"))
        number += 1
      }
    }
    return TextDocument(blocks)
  }

  var json: JSONValue { ["layers": state.layersJSON(with: popups)] }
}
