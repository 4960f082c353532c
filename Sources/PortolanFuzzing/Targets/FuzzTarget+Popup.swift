internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanMap

extension FuzzTarget {
  /// A popup's definition is read and filled with a feature.
  static let popup = FuzzTarget(
    "popup",
    words: FormatWords.json + [
      "{NAME}", "{expression/e}", "{relationships/1/A}", "<b>", "</p>", "<br/>", "&nbsp;", "&#65;",
      "<script>", "<a href='{NAME}'>", "<table><tr><td>", "<!--", "{{{{",
    ], form: .json,
    texts: MapSeeds.popups
  ) { data in
    guard let object = try JSONValue(parsing: data).object else { return }
    let definition = PopupDefinition(json: object)
    let schema = FeatureTableSchema(name: "Wells", fields: WhereSeeds.fields.fields)
    let feature = Feature(objectID: 7, attributes: WhereSeeds.row)
    let popup = PopupFormatting { _, _ in "a & b" }.popup(of: feature, in: schema, as: definition)
    for case .text(let text) in popup.elements { _ = text.plain }
    _ = popup.hashValue
  }
}
