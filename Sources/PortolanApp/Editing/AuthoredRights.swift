internal import PortolanFeatures
internal import PortolanMap

/// The edits that the author of a web map permits on a layer of a service, `capabilities`.
///
/// The service may allow less. What is in files is ruled by the files.
struct AuthoredRights: Hashable, Sendable {
  /// The permitted operations, as services call them; everything if `nil`.
  private let words: Set<String>?

  init(_ layer: Layer) {
    let limit = layer.path == nil ? layer.capabilities : nil
    words = limit.map { Set($0.map { $0.lowercased() }) }
  }

  /// Whether nothing may be changed at all.
  var isReadOnly: Bool { !allows("create") && !allows("update") && !allows("delete") }

  /// Whether an edit may be carried out.
  func allows(_ edit: FeatureEdit) -> Bool {
    switch edit {
    case .add: allows("create")
    case .delete: allows("delete")
    case .update, .addAttachment, .updateAttachment, .deleteAttachment: allows("update")
    }
  }

  private func allows(_ word: String) -> Bool {
    guard let words else { return true }
    // The right as a whole has a name of its own, beside which single ones limit it.
    let isWhole =
      words.contains("editing") && words.isDisjoint(with: ["create", "update", "delete"])
    return isWhole || words.contains(word)
  }
}

extension FeatureEditError {
  /// An edit that the author of the map does not allow.
  static func notAuthored(_ layer: String) -> FeatureEditError {
    .tableNotEditable(table: layer, reason: "the author of the map does not allow it")
  }
}
