internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJSON

/// A feature form as text and as JSON.
struct FormPage {
  /// How many of the allowed values are listed in the text.
  private static let mostChoices = 8

  let state: FeatureFormModel.State

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [
      .heading(title),
      .table(
        TextTable(
          [.init("field"), .init("value"), .init("takes")], rows: state.fields.map(row))),
    ]
    if !state.templates.isEmpty {
      let names = state.templates.map { "\"\($0.name)\"" }.joined(separator: ", ")
      blocks.append(.paragraph("Templates: \(names)", indent: 0))
    }
    return TextDocument(blocks)
  }

  private var title: String {
    switch state.purpose {
    case .add: "\(state.layerTitle): a new feature"
    case .update(let objectID): "\(state.layerTitle): feature \(objectID)"
    }
  }

  private func row(_ field: FeatureFormField) -> [String] {
    let label =
      field.label == field.name ? field.name : "\(field.label) (\(field.name))"
    return [label + (field.isRequired ? " *" : ""), field.text, rule(field)]
  }

  private func rule(_ field: FeatureFormField) -> String {
    if field.readOnlyReason != nil { return "read only" }
    if !field.choices.isEmpty {
      let names = field.choices.prefix(Self.mostChoices).map(\.name)
      return names.joined(separator: " | ") + (field.choices.count > names.count ? " | …" : "")
    }
    if let range = field.range {
      return "\(range.minimum.plainText) to \(range.maximum.plainText)"
    }
    return field.type.formText + (field.length.map { ", at most \($0) characters" } ?? "")
  }
}

extension FieldType {
  /// What a person types.
  fileprivate var formText: String {
    switch self {
    case .objectID, .smallInteger, .integer, .bigInteger: "a whole number"
    case .single, .double: "a number"
    case .date: "a date, such as 2026-05-01T12:00:00Z"
    case .dateOnly: "a day, such as 2026-05-01"
    case .timeOnly: "a time, such as 12:30:00"
    case .timestampOffset: "a date with its offset"
    case .guid, .globalID: "a GUID"
    case .string, .xml: "text"
    case .geometry, .blob, .raster: "no text"
    }
  }
}

extension AttributeValue {
  /// The value without regard to a field.
  fileprivate var plainText: String {
    switch self {
    case .date(let date): CivilDate(date)?.iso8601 ?? ""
    default: formJSON.text()
    }
  }
}
