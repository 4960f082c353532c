internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

extension FeatureFormModel {
  /// The form as a page reads it.
  ///
  /// - Parameter layer: The key of its layer.
  /// - Returns: Its lines, and what may be done.
  func pageJSON(layer: String) -> JSONValue {
    var objectID: JSONValue = .null
    var purpose = "add"
    if case .update(let id) = state.purpose {
      objectID = .integer(id)
      purpose = "update"
    }
    return [
      "purpose": .string(purpose), "layer": .string(layer),
      "layerTitle": .string(state.layerTitle), "objectID": objectID,
      "canSubmit": .bool(state.canSubmit), "isChanged": .bool(state.isChanged),
      "geometry": geometryOnWGS84?.geoJSON() ?? .null,
      "templates": .array(state.templates.map { .string($0.name) }),
      "fields": .array(state.fields.map(\.pageJSON)),
    ]
  }
}

extension FeatureFormField {
  fileprivate var pageJSON: JSONValue {
    [
      "name": .string(name), "label": .string(label), "type": .string("\(type)"),
      "text": .string(text),
      "choices": .array(
        choices.map { ["code": .string($0.code.plainText), "name": .string($0.name)] }),
      "minimum": JSONValue(range?.minimum.plainText),
      "maximum": JSONValue(range?.maximum.plainText),
      "length": JSONValue(length), "isRequired": .bool(isRequired),
      "isEditable": .bool(isEditable), "readOnlyReason": JSONValue(readOnlyReason?.sentence),
      "problem": problem?.json ?? .null,
    ]
  }
}

extension AttributeValue {
  /// The value as a form takes it.
  fileprivate var plainText: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): text
    case .null, .date, .blob: ""
    }
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
