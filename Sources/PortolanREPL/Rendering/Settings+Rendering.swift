internal import PortolanApp

extension Settings.Origin {
  /// The origin for people.
  fileprivate var phrase: String {
    switch self {
    case .defaultValue: "default"
    case .file: "file"
    case .environment: "environment"
    case .flag: "command line"
    }
  }
}

extension Settings {
  /// All settings, for people.
  func text(place: String) -> TextDocument {
    let rows = SettingKey.allCases.map { key in
      [key.rawValue, self[key].text, origin(of: key).phrase]
    }
    let columns = ["setting", "value", "from"].map { TextTable.Column($0) }
    let table = TextTable(columns, rows: rows)
    let complaints = faults.map { TextDocument.Block.paragraph($0.sentence, indent: 0) }
    let end = complaints.isEmpty ? [] : [TextDocument.Block.blank] + complaints
    return TextDocument([.table(table), .blank, .line("File: \(place)")] + end)
  }

  /// One setting, for people.
  func text(about key: SettingKey) -> TextDocument {
    TextDocument("\(key.rawValue) is \"\(self[key].text)\" (\(origin(of: key).phrase)).")
  }
}
