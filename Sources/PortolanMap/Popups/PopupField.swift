public import PortolanJSON

/// A field in a popup: its name for people and how its values are written.
public struct PopupField: Hashable, Sendable {
  /// The entry as it was read, with all its members.
  public let json: JSONObject
  /// The name of the field, or `expression/NAME`, or `relationships/ID/FIELD`.
  public let name: String
  /// The name for people; empty if the document has none, and the field's alias is to be used.
  public let label: String
  /// Whether lists of fields have it.
  public let isVisible: Bool
  /// Whether people may change it, as far as the popup goes.
  public let isEditable: Bool
  /// The format of the values.
  public let format: PopupFieldFormat
  /// The tooltip.
  public let tooltip: String

  /// Reads an entry; `nil` if it names no field.
  public init?(json: JSONObject) {
    guard let name = json.filledText("fieldName") else { return nil }
    self.json = json
    self.name = name
    label = json.filledText("label") ?? ""
    isVisible = json.flag("visible") ?? true
    isEditable = json.flag("isEditable") ?? true
    format = PopupFieldFormat(json: json)
    tooltip = json.text("tooltip") ?? ""
  }

  /// Creates an entry for a visible field.
  public init(
    name: String, label: String, format: PopupFieldFormat = PopupFieldFormat()
  ) {
    var json: JSONObject = [
      "fieldName": .string(name), "label": .string(label), "isEditable": false, "visible": true,
    ]
    json["format"] = format.json.isEmpty ? nil : .object(format.json)
    self.json = json
    self.name = name
    self.label = label
    isVisible = true
    isEditable = false
    self.format = format
    tooltip = ""
  }

  /// Whether values are HTML by declaration, not text that happens to look like it.
  public var holdsHTML: Bool { json.text("stringFieldOption") == "richtext" }
}
