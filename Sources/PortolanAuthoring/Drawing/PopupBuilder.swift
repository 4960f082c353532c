internal import PortolanFeatures
internal import PortolanJSON

/// Makes the popup of a layer from its specification and the fields of its table.
struct PopupBuilder {
  let layer: LayerSpecification
  let schema: FeatureTableSchema

  /// Fields that computers keep for themselves and popups leave out.
  private static let hidden: Set<FieldType> = [
    .objectID, .globalID, .guid, .blob, .geometry, .raster, .xml,
  ]

  /// The popup, in the words of the web map specification; fields that are not there are added to
  /// `problems`.
  func popup(_ problems: SpecificationProblems) -> JSONValue {
    let fields =
      layer.popup?.fields ?? []
    let chosen =
      fields.isEmpty
      ? schema.fields.filter { !Self.hidden.contains($0.type) }
        .map { LayerSpecification.Popup.Field(name: $0.name, path: layer.path) }
      : fields
    var infos: [JSONValue] = []
    for entry in chosen {
      guard let field = schema.field(named: entry.name) else {
        problems.add(schema.absence(of: entry.name), at: entry.path)
        continue
      }
      infos.append(.object(Self.info(entry, field)))
    }
    var popup: JSONObject = ["title": .string(title), "fieldInfos": .array(infos)]
    if let text = layer.popup?.text {
      popup["popupElements"] = [["type": "text", "text": .string(text)], ["type": "fields"]]
    }
    if schema.hasAttachments { popup["showAttachments"] = true }
    if let path = layer.popup?.path {
      FieldTemplate(title).check(schema, at: path.member("title"), problems)
      FieldTemplate(layer.popup?.text ?? "").check(schema, at: path.member("text"), problems)
    }
    return .object(popup)
  }

  private var title: String {
    layer.popup?.title ?? schema.displayField.map { "{\($0)}" } ?? schema.alias
  }

  private static func info(
    _ entry: LayerSpecification.Popup.Field, _ field: Field
  ) -> JSONObject {
    var info: JSONObject = [
      "fieldName": .string(field.name), "label": .string(entry.label ?? field.alias),
      "isEditable": false, "visible": true,
    ]
    if let places = entry.places, field.type.isNumeric {
      info["format"] = ["places": .integer(Int64(places)), "digitSeparator": true]
    } else if [.smallInteger, .integer, .bigInteger].contains(field.type) {
      // Years and codes are written without a separator.
      info["format"] = ["places": 0, "digitSeparator": false]
    }
    return info
  }
}

/// A text with the names of fields in braces.
struct FieldTemplate {
  /// A part of a template.
  enum Part {
    case text(String)
    case field(String)
  }

  let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.field(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// Adds the fields that are not there to `problems`.
  func check(
    _ schema: FeatureTableSchema, at path: SpecificationPath, _ problems: SpecificationProblems
  ) {
    for case .field(let name) in parts where schema.field(named: name) == nil {
      problems.add(schema.absence(of: name), at: path)
    }
  }

  /// The text as an Arcade expression.
  func arcade(_ schema: FeatureTableSchema) -> String {
    let texts = parts.map { part in
      switch part {
      case .text(let text): JSONValue.string(text).text()
      case .field(let name):
        "$feature[\(JSONValue.string(schema.field(named: name)?.name ?? name).text())]"
      }
    }
    // Two numbers would be added up, and not written one behind the other.
    let fields = parts.prefix(2).count { if case .field = $0 { true } else { false } }
    let needsText = texts.isEmpty || fields == 2
    return ((needsText ? ["\"\""] : []) + texts).joined(separator: " + ")
  }
}
