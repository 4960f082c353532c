public import PortolanJSON

extension Settings {
  /// All settings, as the documents of shells hold them.
  ///
  /// - Parameter place: The file that they are kept in.
  /// - Returns: The settings, each with where its value comes from.
  public func json(place: String) -> JSONValue {
    [
      "file": .string(place),
      "settings": .array(
        SettingKey.allCases.map { key in
          [
            "key": .string(key.rawValue), "value": self[key].json,
            "origin": .string(origin(of: key).rawValue), "default": key.defaultValue.json,
            "variable": .string(key.variable), "summary": .string(key.summary),
          ]
        }),
      "faults": .array(faults.map { .string($0.sentence) }),
    ]
  }
}
