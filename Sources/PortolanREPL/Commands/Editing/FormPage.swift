internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJSON

/// A feature form as text and as JSON.
struct FormPage {
  /// The maximum number of allowed values listed in the text.
  private static let mostChoices = 8

  let state: FeatureFormModel.State

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [.heading(title), .table(table)]
    blocks += state.fields.filter { !$0.choices.isEmpty && $0.readOnlyReason == nil }.map { field in
      .paragraph("\(field.name) takes: \(choices(of: field))", indent: 0)
    }
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

  /// The fields by name, which is what people type and is never cut, then what they are called.
  private var table: TextTable {
    let hasLabels = state.fields.contains { $0.label != $0.name }
    let columns: [TextTable.Column] = [
      .init("field", mayBeCut: false), .init("label"), .init("value"), .init("takes"),
    ]
    let rows = state.fields.map { field in
      [
        field.name + (field.isRequired ? " *" : ""), field.label == field.name ? "" : field.label,
        field.text, rule(field),
      ]
    }
    guard !hasLabels else { return TextTable(columns, rows: rows) }
    return TextTable(
      columns.filter { $0.title != "label" }, rows: rows.map { [$0[0], $0[2], $0[3]] })
  }

  private func choices(of field: FeatureFormField) -> String {
    let names = field.choices.prefix(Self.mostChoices).map { field.text(for: $0) }
    return names.joined(separator: " | ") + (field.choices.count > names.count ? " | …" : "")
  }

  private func rule(_ field: FeatureFormField) -> String {
    if field.readOnlyReason != nil { return "read only" }
    if !field.choices.isEmpty { return "one of \(field.choices.count)" }
    if let range = field.range { return range.wording(\.plainText) }
    let length = field.length.map { ", at most \($0) \($0 == 1 ? "character" : "characters")" }
    return field.type.formText + (length ?? "")
  }
}

extension FieldType {
  /// The text that a user types.
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
    case .integer(let number): "\(number)"
    default: formJSON.text()
    }
  }
}
