internal import PortolanApp
internal import PortolanFeatures

/// An edit that was stored, as text and as JSON.
struct EditPage {
  /// The kind of edit.
  enum Deed: String {
    case added
    case changed
    case moved
    case removed
    case attached
    case replaced
    case detached
  }

  private let state: EditingModel.State
  private let deed: Deed
  private let layerTitle: String

  init(_ state: EditingModel.State, _ deed: Deed, layerTitle: String) {
    self.state = state
    self.deed = deed
    self.layerTitle = layerTitle
  }

  var result: CommandResult {
    CommandResult(
      text: TextDocument(sentence), json: state.json(of: deed.rawValue, in: layerTitle))
  }

  private var sentence: String {
    guard let edit = state.lastEdit else { return "Nothing was changed." }
    let feature = "feature \(edit.objectID) of \"\(layerTitle)\""
    return switch deed {
    case .added: "Added \(feature)."
    case .changed: "Changed \(feature)."
    case .moved: "Moved \(feature)."
    case .removed: "Removed \(feature)."
    case .replaced: "Replaced an attachment of \(feature)."
    case .detached: "Removed an attachment of \(feature)."
    case .attached:
      "Attached the file to \(feature)\(edit.attachmentID.map { ", as attachment \($0)" } ?? "")."
    }
  }
}
