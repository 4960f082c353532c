internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// The selected popup as text and as JSON.
struct PopupPage {
  private let state: PopupsModel.State
  private let page: PopupsModel.Page
  private let selection: PopupsModel.Selection
  private let count: Int

  /// The selected popup, if one is.
  init?(state: PopupsModel.State) {
    guard let selection = state.selection, state.pages.indices.contains(selection.index) else {
      return nil
    }
    self.state = state
    self.selection = selection
    page = state.pages[selection.index]
    count = state.pages.count
  }

  /// In part, if something could not be read.
  var status: ExitCode { selection.problems.isEmpty ? .done : .partlyDone }

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [
      .heading(selection.popup.title),
      .line(
        "\(page.layerTitle), \(selection.index + 1) of \(count), object id \(page.objectID)"),
    ]
    for element in selection.popup.elements { blocks += self.blocks(element) }
    let notes = selection.popup.notEvaluated + selection.problems.map(\.message)
    blocks += notes.map { .paragraph("Note: \($0)", indent: 0) }
    return TextDocument(blocks)
  }

  private func blocks(_ element: Popup.Element) -> [TextDocument.Block] {
    switch element {
    case .text(let text): [.paragraph(text.plain, indent: 0)]
    case .fields(let group):
      [.fields(group.values.map { .init($0.label, $0.failure ?? $0.text) })]
    case .media(let group): group.media.flatMap(blocks)
    case .attachments: attachmentBlocks
    case .relationship: relatedBlocks
    case .expression(let value): [.fields([.init(value.label, value.failure ?? value.text)])]
    case .unsupported(let type):
      [.paragraph("A part of the kind \"\(type)\" cannot be shown.", indent: 0)]
    }
  }

  private func blocks(_ media: Popup.Media) -> [TextDocument.Block] {
    let title = media.title.isEmpty ? media.caption : media.title
    if let url = media.imageURL { return [.line("Picture \(title): \(url)")] }
    return [.line(title)] + [.fields(media.chartValues.map { .init($0.label, $0.text) })]
  }

  private var attachmentBlocks: [TextDocument.Block] {
    guard !selection.attachments.isEmpty else { return [] }
    return [.line("Attachments")]
      + selection.attachments.map {
        .line("  \($0.name) (\($0.contentType), \(ByteCount.text($0.size)))")
      }
  }

  private var relatedBlocks: [TextDocument.Block] {
    selection.related.flatMap { records in
      [.line(records.name)] + records.titles.map { .line("  \($0)") }
    }
  }

  var json: JSONValue { state.selectionJSON ?? .null }
}
