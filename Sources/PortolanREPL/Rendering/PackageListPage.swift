internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

/// The packages in folders, as a table and as a document.
struct PackageListPage {
  /// The folders that were searched.
  let folders: [URL]
  /// The listing of each.
  let listings: [PackageListing]

  /// Part of it failed if a package cannot be read.
  var status: ExitCode {
    let entries = listings.flatMap(\.entries)
    guard entries.contains(where: { $0.damage != nil }) else { return .done }
    return entries.contains { $0.contents != nil } ? .partlyDone : .failed
  }

  /// The page as text.
  var text: TextDocument {
    var blocks: [TextDocument.Block] = []
    for (folder, listing) in zip(folders, listings) {
      if !blocks.isEmpty { blocks.append(.blank) }
      blocks.append(.heading(Self.heading(folder, listing)))
      let packages = listing.entries.filter { $0.contents != nil }
      if !packages.isEmpty { blocks.append(.table(Self.table(packages))) }
      let damaged = listing.entries.compactMap { entry in
        entry.damage.map { TextDocument.Block.paragraph("\(entry.name): \($0)", indent: 2) }
      }
      if !damaged.isEmpty { blocks += [.blank, .heading("Cannot be read")] + damaged }
    }
    return TextDocument(blocks)
  }

  /// The page as JSON.
  var json: JSONValue {
    let documents = zip(folders, listings).map { folder, listing in
      listing.json(of: folder.relativePath)
    }
    return ["folders": .array(documents)]
  }

  private static func heading(_ folder: URL, _ listing: PackageListing) -> String {
    guard !listing.isMissing else { return "\(folder.relativePath): not found" }
    let count = listing.entries.count
    var text = "\(folder.relativePath): "
    text += count == 0 ? "no packages" : count == 1 ? "1 package" : "\(count) packages"
    switch listing.otherCount {
    case 0: return text
    case 1: return text + ", 1 other file"
    default: return text + ", \(listing.otherCount) other files"
    }
  }

  private static func table(_ entries: [PackageListing.Entry]) -> TextTable {
    let rows = entries.map { entry in
      let contents = entry.contents
      return [
        entry.name, contents?.kindTitle ?? "", contents?.title ?? "", contents?.summary ?? "",
        contents?.extent?.text ?? "", entry.size.map(ByteCount.text) ?? "",
      ]
    }
    return TextTable(
      [
        .init("name", mayBeCut: false), .init("kind"), .init("title"), .init("contents"),
        .init("extent"), .init("size", .right),
      ], rows: rows)
  }
}

extension PackageListing.Contents {
  /// The maps, else the tables, and the levels of tiles.
  fileprivate var summary: String {
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

extension PackageListing.Extent {
  /// The edges in the order of `--bbox`, rounded, and the reference unless they are degrees.
  fileprivate var text: String {
    let isInDegrees = wkid == 4326
    let edges = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
      .map { DecimalText.text($0, decimals: isInDegrees ? 4 : 0) }.joined(separator: ",")
    return isInDegrees ? edges : edges + (wkid.map { " (\($0))" } ?? "")
  }
}
