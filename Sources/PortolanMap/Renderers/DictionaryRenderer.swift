public import PortolanJSON

/// Symbols built by a style file from several fields, as for military or weather symbols.
public struct DictionaryRenderer: Hashable, Sendable {
  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The name of the style, if given.
  public let dictionaryName: String?
  /// The URL of the style, if given.
  public let url: String?
  /// The field for each name that the style asks for.
  public let fieldMap: [String: String]

  /// Reads a renderer.
  public init(json: JSONObject) {
    self.json = json
    dictionaryName = json.filledText("dictionaryName")
    url = json.filledText("url")
    let members = (json.object("fieldMap") ?? [:]).members
    let pairs = members.compactMap { member in
      member.value.lenientText.map { (member.name, $0) }
    }
    fieldMap = Dictionary(pairs, uniquingKeysWith: { $1 })
  }
}
