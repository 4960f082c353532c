internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPackages

/// The packages in folders, as a table and as a document.
struct PackageListPage {
  /// Where they were looked for.
  let folders: [URL]
  /// What was found, for each.
  let listings: [PackageFolder.Listing]

  /// What people read.
  var text: TextDocument {
    var blocks: [TextDocument.Block] = []
    for (folder, listing) in zip(folders, listings) {
      if !blocks.isEmpty { blocks.append(.blank) }
      blocks.append(.heading(Self.heading(folder, listing)))
      if !listing.packages.isEmpty { blocks.append(.table(Self.table(listing.packages))) }
      let damaged = listing.damaged
      guard !damaged.isEmpty else { continue }
      blocks += [.blank, .heading("Damaged")]
      blocks += damaged.map { .paragraph("\($0.name): \($0.reason)", indent: 2) }
    }
    return TextDocument(blocks)
  }

  /// What programs read.
  var json: JSONValue {
    let documents = zip(folders, listings).map { folder, listing -> JSONValue in
      [
        "path": .string(folder.relativePath),
        "packages": .array(listing.entries.compactMap(\.json)),
        "others": .integer(Int64(listing.otherCount)),
      ]
    }
    return ["folders": .array(documents)]
  }

  private static func heading(_ folder: URL, _ listing: PackageFolder.Listing) -> String {
    let count = listing.entries.count
    var text = "\(folder.relativePath): "
    text += count == 0 ? "no packages" : count == 1 ? "1 package" : "\(count) packages"
    switch listing.otherCount {
    case 0: return text
    case 1: return text + ", 1 other file"
    default: return text + ", \(listing.otherCount) other files"
    }
  }

  private static func table(
    _ packages: [(entry: PackageFolder.Entry, summary: PackageSummary)]
  ) -> TextTable {
    let rows = packages.map { entry, summary in
      [
        entry.name, summary.kind.title, summary.title, summary.contentsText,
        summary.extent?.text ?? "", entry.size.map(ByteCount.text) ?? "",
      ]
    }
    return TextTable(
      [
        .init("name", mayBeCut: false), .init("kind"), .init("title"), .init("contents"),
        .init("extent"), .init("size", .right),
      ], rows: rows)
  }
}

extension PackageFolder.Listing {
  /// What can be opened.
  fileprivate var packages: [(entry: PackageFolder.Entry, summary: PackageSummary)] {
    entries.compactMap { entry in
      if case .package(let summary) = entry.finding { (entry, summary) } else { nil }
    }
  }

  /// What cannot, and why.
  fileprivate var damaged: [(name: String, reason: String)] {
    entries.compactMap { entry in
      if case .damaged(let reason) = entry.finding { (entry.name, reason) } else { nil }
    }
  }
}

extension PackageSummary {
  /// The maps, else the tables, and the levels of tiles.
  fileprivate var contentsText: String {
    var parts: [String] = []
    if !maps.isEmpty {
      parts.append((maps.count == 1 ? "map " : "maps ") + maps.joined(separator: ", "))
    }
    if !layers.isEmpty {
      let names = layers.map(\.name).joined(separator: ", ")
      parts.append((layers.count == 1 ? "layer " : "layers ") + names)
    }
    if let levels { parts.append("levels \(levels.lowerBound)-\(levels.upperBound)") }
    return parts.joined(separator: "; ")
  }
}

extension PackageSummary.Ground {
  /// The edges in the order of `--bbox`, rounded, and the reference unless they are degrees.
  fileprivate var text: String {
    let isInDegrees = wkid == 4326
    let edges = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
      .map { DecimalText.text($0, decimals: isInDegrees ? 4 : 0) }.joined(separator: ",")
    return isInDegrees ? edges : edges + (wkid.map { " (\($0))" } ?? "")
  }

  fileprivate var json: JSONValue {
    ["bbox": JSONValue(extent: envelope), "wkid": wkid.map { .integer(Int64($0)) } ?? .null]
  }
}

extension PackageFolder.Entry {
  fileprivate var json: JSONValue? {
    var members: JSONObject = [
      "name": .string(name), "size": size.map { .integer(Int64($0)) } ?? .null,
    ]
    switch finding {
    case .other: return nil
    case .damaged(let reason): members["damage"] = .string(reason)
    case .package(let summary):
      members["kind"] = .string(summary.kind.rawValue)
      members["title"] = .string(summary.title)
      members["maps"] = .array(summary.maps.map(JSONValue.string))
      members["layers"] = .array(
        summary.layers.map {
          ["name": .string($0.name), "extent": $0.extent?.json ?? .null]
        })
      members["levels"] =
        summary.levels.map { [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))] }
        ?? .null
      members["extent"] = summary.extent?.json ?? .null
    }
    return .object(members)
  }
}
