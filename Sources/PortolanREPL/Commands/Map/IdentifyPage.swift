internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJSON

/// What was found at a place, as text and as JSON.
struct IdentifyPage {
  let results: [IdentifyModel.LayerResult]
  let popups: PopupsModel.State

  /// In part, if a layer could not be asked.
  var status: ExitCode { results.contains { $0.problem != nil } ? .partlyDone : .done }

  var text: TextDocument {
    guard !results.isEmpty else { return TextDocument("Nothing was found here.") }
    var blocks: [TextDocument.Block] = []
    var number = 0
    for result in results {
      let more = result.isCut ? " (the nearest \(result.features.count))" : ""
      blocks.append(.heading(result.title + more))
      if let problem = result.problem { blocks.append(.paragraph(problem.message, indent: 2)) }
      for _ in result.features where popups.pages.indices.contains(number) {
        blocks.append(.line("  \(number + 1)  \(popups.pages[number].title)"))
        number += 1
      }
    }
    return TextDocument(blocks)
  }

  var json: JSONValue {
    var number = 0
    let layers = results.map { result -> JSONValue in
      let features = result.features.map { feature -> JSONValue in
        number += 1
        let page = popups.pages.indices.contains(number - 1) ? popups.pages[number - 1] : nil
        return [
          "number": .integer(Int64(number)), "objectId": .integer(feature.objectID),
          "title": .string(page?.title ?? ""),
        ]
      }
      return [
        "id": .string(result.id), "title": .string(result.title), "features": .array(features),
        "isCut": .bool(result.isCut),
        "problem": result.problem.map { .string($0.message) } ?? .null,
      ]
    }
    return ["layers": .array(layers)]
  }
}
