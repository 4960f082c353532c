public import PortolanJSON

/// A layer or a table of a map.
///
/// The value is the JSON object it was read from; its properties read and write members of it.
/// So whatever the document holds beyond them is kept, and a member of the wrong type reads as if
/// it were missing but stays until it is set.
///
/// - SeeAlso: [Operational layers](https://developers.arcgis.com/web-map-specification/objects/operationalLayers/)
public struct Layer: Sendable {
  /// The place of a layer in the map.
  public enum Role: Hashable, Sendable {
    case operational
    case basemap
    case table
  }

  /// The display of a layer in a table of contents.
  public enum ListMode: String, Hashable, Sendable {
    case show
    case hide
    /// The layer is shown, the layers in it are not.
    case hideChildren = "hide-children"
  }

  /// Groups in groups are followed to this depth, which is as deep as a document can be nested.
  static let maximumDepth = JSONValue.maximumDepth / 2

  /// The layer as it was read, with the changes made since.
  public var json: JSONObject

  /// The place of the layer in the map.
  public let role: Role

  /// Reads a layer.
  public init(json: JSONObject, role: Role = .operational) {
    self.json = json
    self.role = role
  }

  /// Creates a layer; tables have no type in documents.
  public init(_ type: LayerType, id: String, title: String, role: Role = .operational) {
    var json: JSONObject = ["id": .string(id)]
    if role != .table || type != .feature { json["layerType"] = .string(type.rawValue) }
    json["title"] = .string(title)
    if role != .table {
      json["visibility"] = true
      json["opacity"] = 1
    }
    self.init(json: json, role: role)
  }

  /// The type, as named or inferred; `nil` if the document names one that is not known.
  public var type: LayerType? {
    if let name = json.filledText("layerType") { return LayerType.named(name) }
    return LayerType.inferred(from: json, role: role)
  }

  /// The name of the type, also of one that is not known; may be empty.
  public var typeName: String { type?.rawValue ?? json.filledText("layerType") ?? "" }

  /// The id, unique in a sound map.
  public var id: String? {
    get { json.filledText("id") }
    set { json["id"] = newValue.map { .string($0) } }
  }

  /// The name for people; made up from the address where the document has none.
  public var title: String {
    get { json.filledText("title") ?? json.filledText("name") ?? substituteTitle }
    set { json["title"] = .string(newValue) }
  }

  /// Whether the layer is switched on.
  public var isVisible: Bool {
    get { json.flag("visibility") ?? json.flag("defaultVisibility") ?? true }
    set { json["visibility"] = .bool(newValue) }
  }

  /// The opacity of the layer, from 0 to 1.
  public var opacity: Double {
    get { min(max(json.number("opacity") ?? 1, 0), 1) }
    set { json["opacity"] = JSONValue(newValue) }
  }

  /// The id of the portal item that the layer came from.
  public var itemID: String? {
    get { json.filledText("itemId") }
    set { json["itemId"] = newValue.map { .string($0) } }
  }

  /// The address of the service or file online.
  public var url: String? {
    get { json.filledText("url") }
    set { json["url"] = newValue.map { .string($0) } }
  }

  /// The path of the data in the package, if the map is in one.
  public var path: PackagePath? {
    get { json.text("path").flatMap(PackagePath.init(parsing:)) }
    set { json["path"] = newValue.map { .string($0.text) } }
  }

  private var substituteTitle: String {
    let address = (url ?? "").prefix { $0 != "?" }
    let parts = address.split(separator: "/")
    let services = ["featureserver", "mapserver", "imageserver", "vectortileserver"]
    if let place = parts.lastIndex(where: { services.contains($0.lowercased()) }), place > 0 {
      return String(parts[place - 1]).replacing("_", with: " ")
    }
    return id ?? "Untitled"
  }
}

extension Layer: Hashable {
  public func hash(into hasher: inout Hasher) {
    // Members in any order are equal, so only what distinguishes most layers is mixed in.
    hasher.combine(id)
    hasher.combine(json.text("title"))
  }
}
