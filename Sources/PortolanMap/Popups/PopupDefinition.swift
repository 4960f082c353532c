public import PortolanFeatures
public import PortolanJSON

/// The definition of the popup of identified features.
///
/// Documents hold popups in an older form (`description`, `fieldInfos`, `mediaInfos`) and a newer
/// one (`popupElements`), often in both; ``elements`` is the newer one, or the older one put into
/// its words.
///
/// - SeeAlso: [popupInfo](https://developers.arcgis.com/web-map-specification/objects/popupInfo/)
public struct PopupDefinition: Hashable, Sendable {
  /// The definition as it was read, with all its members.
  public let json: JSONObject
  /// The title, a text with `{FIELD}` in it; may be empty.
  public let title: String
  /// The fields with their names and formats, in the order of the document.
  public let fields: [PopupField]
  /// The elements below the title, from the top.
  public let elements: [PopupElement]
  /// The expressions that texts and fields refer to.
  public let expressions: [PopupExpression]
  /// Whether who made and who changed the feature, and when, is shown.
  public let showsLastEditInfo: Bool
  /// By name in lower case: a hostile popup may have as many fields as texts that name them.
  private let fieldsByName: [String: PopupField]
  private let expressionsByName: [String: PopupExpression]

  /// Reads a definition.
  public init(json: JSONObject) {
    self.json = json
    title = json.text("title") ?? ""
    fields = json.objects("fieldInfos").compactMap(PopupField.init(json:))
    expressions = json.objects("expressionInfos").compactMap(PopupExpression.init(json:))
    showsLastEditInfo = json.flag("showLastEditInfo") ?? false
    elements =
      json["popupElements"]?.array == nil
      ? Self.olderElements(json, fields)
      : json.objects("popupElements").map { PopupElement(json: $0, popup: json) }
    fieldsByName = Dictionary(
      fields.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    expressionsByName = Dictionary(
      expressions.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Creates a definition that shows a list of fields, then attachments if wanted.
  public init(title: String, fields: [PopupField], showsAttachments: Bool = false) {
    let infos = JSONValue(fields.map(\.json))
    var elements: [JSONValue] = [["type": "fields", "fieldInfos": infos]]
    if showsAttachments { elements.append(["type": "attachments", "displayType": "auto"]) }
    self.init(json: [
      "title": .string(title), "fieldInfos": infos, "popupElements": .array(elements),
      "showAttachments": .bool(showsAttachments),
    ])
  }

  /// The definition for a layer whose map has none: the display field, then all fields that mean
  /// something to people.
  public init(schema: FeatureTableSchema, title: String? = nil) {
    let tracking = schema.editorTracking
    let hidden = [
      schema.objectIDField, schema.globalIDField, tracking?.creatorField,
      tracking?.creationDateField, tracking?.editorField, tracking?.editDateField,
    ].compactMap { $0?.lowercased() }
    let fields = schema.fields.filter { field in
      ![.geometry, .blob, .raster, .xml, .globalID].contains(field.type)
        && !hidden.contains(field.name.lowercased())
        && !field.name.lowercased().hasPrefix("shape__")
        && !["shape_length", "shape_area"].contains(field.name.lowercased())
    }
    let substitute = schema.displayField.flatMap { schema.field(named: $0)?.name }
    self.init(
      title: title ?? substitute.map { "{\($0)}" } ?? schema.alias,
      fields: fields.map { PopupField(name: $0.name, label: $0.alias) },
      showsAttachments: schema.hasAttachments)
  }

  /// The entry of a field, without case.
  public func field(named name: String) -> PopupField? {
    fieldsByName[name.lowercased()]
  }

  /// The expression called `name`, without case.
  public func expression(named name: String) -> PopupExpression? {
    expressionsByName[name.lowercased()]
  }

  private static func olderElements(_ json: JSONObject, _ fields: [PopupField]) -> [PopupElement] {
    var elements: [PopupElement] = []
    if let description = json.filledText("description") {
      elements.append(.text(description))
    } else if !fields.isEmpty {
      elements.append(.fields(FieldsPopupElement(fields: fields.filter(\.isVisible))))
    }
    let media = json.objects("mediaInfos").map(PopupMedia.init(json:))
    if !media.isEmpty { elements.append(.media(MediaPopupElement(media: media))) }
    if json.flag("showAttachments") ?? false {
      elements.append(.attachments(AttachmentsPopupElement()))
    }
    return elements
  }
}
