public import PortolanFeatures
internal import PortolanGeometry
public import PortolanJSON

extension FeatureFormModel {
  /// The form as JSON output holds it.
  public var json: JSONObject {
    var members = state.members
    members["geometry"] = geometryOnWGS84?.geoJSON() ?? .null
    return members
  }
}

extension FeatureFormModel.State {
  fileprivate var members: JSONObject {
    let objectID: JSONValue = if case .update(let id) = purpose { .integer(id) } else { .null }
    return [
      "purpose": purpose == .add ? "add" : "update", "layer": .string(layerTitle),
      "objectId": objectID, "isChanged": .bool(isChanged), "canSubmit": .bool(canSubmit),
      "fields": .array(fields.map(\.json)), "templates": JSONValue(texts: templates.map(\.name)),
    ]
  }
}

extension FeatureFormField {
  /// The field as the documents of shells hold it.
  var json: JSONValue {
    [
      "name": .string(name), "label": .string(label), "type": .string(type.rawValue),
      "value": value.formJSON, "text": .string(text), "required": .bool(isRequired),
      "editable": .bool(isEditable), "readOnlyReason": JSONValue(orNull: readOnlyReason?.sentence),
      "length": JSONValue(orNull: length), "timeZoneUnknown": .bool(isTimeZoneUnknown),
      "choices": .array(
        choices.map { ["code": $0.code.formJSON, "name": .string($0.name)] }),
      "range": range.map { [$0.minimum.formJSON, $0.maximum.formJSON] } ?? .null,
      "problem": JSONValue(orNull: problem?.message),
    ]
  }
}

extension FeatureEditError.ReadOnlyReason {
  fileprivate var sentence: String {
    switch self {
    case .objectID: "It numbers the features."
    case .globalID: "It identifies the feature everywhere."
    case .editorTracking: "It records who edited the feature, and when."
    case .notEditable: "The owner of the layer does not allow it."
    }
  }
}

extension AttributeValue {
  /// Whether this is a whole number that a JavaScript number does not hold exactly.
  var isBeyondJavaScript: Bool {
    guard case .integer(let number) = self else { return false }
    return number.magnitude >= 1 << 53
  }

  /// The value in a document; contents of files by their size.
  ///
  /// A whole number beyond ±(2^53 − 1) is a text: JavaScript, and with it the web app, would read another number.
  ///
  /// - SeeAlso: RFC 7493, section 2.2.
  public var formJSON: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): isBeyondJavaScript ? .string("\(number)") : .integer(number)
    case .double(let number): .number(number)
    case .text(let text): .string(text)
    case .date(let date): .string(CivilDate(date)?.iso8601 ?? "")
    case .blob(let data): .string(data.sizeText)
    }
  }
}

extension EditingModel.Changes {
  /// The changes as the documents of shells hold them.
  public var json: JSONValue {
    [
      "lastSync": JSONValue(orNull: lastSync.flatMap(CivilDate.init)?.iso8601),
      "edits": JSONValue(orNull: count.features),
      "attachments": JSONValue(orNull: count.attachments),
      "tables": .array(
        tables.map { table in
          [
            "table": .string(table.table), "layer": .string(table.layerTitle),
            "hasHistory": .bool(table.hasHistory),
            "changes": .array(table.changes.map { $0.json(titled: table.titles[$0.objectID]) }),
          ]
        }),
    ]
  }
}

extension LocalChange {
  /// The change with the title of its feature, if that is known.
  fileprivate func json(titled title: String?) -> JSONValue {
    var members = json.object ?? [:]
    members["title"] = JSONValue(orNull: title)
    return .object(members)
  }

  /// The change as JSON output holds it.
  public var json: JSONValue {
    [
      "table": .string(table), "objectId": .integer(objectID),
      "globalId": JSONValue(orNull: globalID), "kind": JSONValue(orNull: kind?.rawValue),
      "attachments": .array(
        attachments.map {
          [
            "id": .integer($0.id), "globalId": JSONValue(orNull: $0.globalID),
            "kind": .string($0.kind.rawValue),
          ]
        }),
    ]
  }
}

extension EditingModel.State {
  /// The last edit as JSON output holds it.
  ///
  /// - Parameters:
  ///   - deed: What was done, in a word.
  ///   - layer: The title of the layer.
  /// - Returns: The edit, and how many can be undone.
  public func json(of deed: String, in layer: String) -> JSONValue {
    [
      "edit": lastEdit.map { edit in
        [
          "kind": .string(deed), "layer": .string(layer), "table": .string(edit.table),
          "objectId": .integer(edit.objectID), "globalId": JSONValue(orNull: edit.globalID),
          "attachmentId": JSONValue(orNull: edit.attachmentID),
        ]
      } ?? .null, "undoCount": JSONValue(orNull: undoCount),
    ]
  }
}

extension EditingModel.State {
  /// The undone edits, as JSON output holds them.
  ///
  /// - Parameter changes: What was undone.
  /// - Returns: The document.
  public func json(undone changes: [LocalChange]) -> JSONValue {
    ["undone": .array(changes.map(\.json)), "undoCount": JSONValue(orNull: undoCount)]
  }
}
