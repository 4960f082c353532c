/// Names of tables and columns as SQL spells them.
public enum SQLIdentifier {
  /// `name` in double quotes, so that SQL takes it for a name whatever it contains.
  ///
  /// Zero bytes, at which SQL text would end, are left out: no table can have them.
  public static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { $0 != UInt8(ascii: "\"") && $0 != 0 }
    guard !isPlain else { return "\"" + name + "\"" }
    var quoted = "\""
    for scalar in name.unicodeScalars where scalar != "\0" {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
