public import PortolanJSON

extension TableOfContentsModel.State {
  /// The layers and tables, as the documents of shells hold them.
  public var json: JSONValue {
    [
      "layers": .array(layers.map(\.json)), "tables": .array(tables.map(\.json)),
      "omissions": JSONValue(texts: omissions),
    ]
  }
}

extension TableOfContentsModel.Entry {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "type": .string(type), "on": .bool(isOn),
      "visible": .bool(isVisible), "exclusive": .bool(isExclusive), "basemap": .bool(isBasemap),
      "minScale": .number(minScale), "maxScale": .number(maxScale),
      "problem": JSONValue(orNull: problem), "layers": .array(children.map(\.json)),
    ]
  }
}
