/// The table of faults as the documentation has it.
enum FaultTable {
  static func text(_ rows: [FaultRow]) -> String {
    var lines = [
      "# Faults of downloads, and how they end", "",
      "Generated from the tests in `Tests/EndToEndTests/Faults`, which run each row against the demo",
      "portal twice: within the process, and over the live transport and a socket.",
      "`RECORD_SNAPSHOTS=1 swift test --filter FaultTests` writes it again. `ITEM` stands for the",
      "address of the item.", "",
      "Whatever happens, a map is in the library whole or not at all, the version before stays until",
      "the new one is whole, and what has arrived stays for the next try. *Then* says how it ends",
      "when the fault is gone and the download is resumed (`resume`, `retry`, `sign-in`).",
      "", "| while fetching | fault | end | reason given | then |", "|---|---|---|---|---|",
    ]
    for row in rows {
      let cells = [
        row.phase.rawValue, row.fault, row.end.sentence, shown(row.reason),
        row.afterwards.sentence,
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func shown(_ reason: String) -> String {
    var text = reason
    for phase in FaultPhase.allCases where phase != .device {
      text = text.replacing("https://demo.test\(phase.path)", with: "ITEM")
    }
    return text.replacing("ITEM/relatedItems", with: "ITEM").replacing("ITEM/data", with: "ITEM")
  }
}
