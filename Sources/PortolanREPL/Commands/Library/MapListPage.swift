internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// The rows of the map list as text and as JSON.
struct MapListPage {
  let items: [MapListItem]
  /// The reason why the list may be incomplete.
  let banner: Problem?
  /// The hint in place of rows, if there are none.
  var hint =
    "There are no maps here yet. \"areas WEBMAP\" lists what can be downloaded of a web map, \"search\" "
    + "finds packages of a portal, and \"import FILE\" brings in one of this device."

  /// Whether a worker runs downloads, so that they start by themselves.
  var isAttended = true

  /// Whether what the maps hold is said.
  var showsDetails = false

  /// The pictures by the ids of the rows, and how the terminal shows them; `nil` if not requested.
  private var thumbnails: (pictures: [String: Thumbnail], format: TerminalPictureFormat)?

  init(items: [MapListItem], banner: Problem?, hint: String? = nil) {
    self.items = items
    self.banner = banner
    if let hint { self.hint = hint }
  }

  /// Shows the pictures of the rows that have one.
  @MainActor mutating func showThumbnails(
    of maps: MapListModel, in format: TerminalPictureFormat
  ) async throws(Problem) {
    thumbnails = (try await maps.thumbnails(of: items), format)
  }

  /// Part of it failed if a portal did not tell.
  ///
  /// That there is no network is no failure as long as something is listed; that nothing is may be for
  /// want of an answer.
  var status: ExitCode {
    guard let banner else { return .done }
    let isWithoutNetwork = [.noNetwork, .unknownHost].contains(banner.code)
    return isWithoutNetwork && !items.isEmpty ? .done : .partlyDone
  }

  var text: TextDocument {
    var blocks: [TextDocument.Block] = []
    if let banner {
      blocks.append(
        .paragraph(
          [banner.message, banner.commandAdvice].compactMap(\.self).joined(separator: " "),
          indent: 0))
    }
    guard !items.isEmpty else { return TextDocument(blocks + [.paragraph(hint, indent: 0)]) }
    blocks.append(
      .table(
        TextTable(
          [.id, .init("title"), .init("state"), .init("size", .right, mayBeCut: false)],
          rows: items.map(row))))
    for item in items {
      // In the table it would take the room of all other columns.
      if case .failed(_, let failure) = item.state {
        blocks.append(.paragraph("\"\(item.title)\" failed: \(failure.message)", indent: 0))
      }
      if let damage = item.copy?.damage {
        let advice = NextAction.Kind.repair.naming(commandIn: NextAction.Kind.repair.sentence)
        blocks.append(.paragraph("\"\(item.title)\" is damaged: \(damage) \(advice)", indent: 0))
      }
      for sentence in item.copy?.omissions ?? [] {
        blocks.append(.paragraph("\"\(item.title)\" lacks \(sentence)", indent: 0))
      }
    }
    return TextDocument(blocks + stoppedBlocks + detailBlocks + pictureBlocks)
  }

  /// The instructions for resuming downloads without a worker.
  private var stoppedBlocks: [TextDocument.Block] {
    let isStopped = items.contains { item in
      if case .waiting(.slot) = item.transfer?.state { !isAttended } else { false }
    }
    guard isStopped else { return [] }
    return [
      .paragraph(
        "What is stopped continues with \"jobs --watch\", or \"resume\" and its title.", indent: 0)
    ]
  }

  private var detailBlocks: [TextDocument.Block] {
    guard showsDetails else { return [] }
    return items.filter { $0.copy != nil || $0.summary != nil }.flatMap(Self.details)
  }

  private static func details(_ item: MapListItem) -> [TextDocument.Block] {
    let facts = item.copy.map { Self.facts($0).joined(separator: ", ") }
    let paragraphs = [item.summary, facts].compactMap(\.self) + warnings(item.copy)
    return [.blank, .heading(item.title)] + paragraphs.map { .paragraph($0, indent: 2) }
  }

  private static func facts(_ copy: StoredCopy) -> [String] {
    let count = copy.contents?.mapCount
    return [
      count.map { $0 == 1 ? "1 map" : "\($0) maps" }, "stored \(DayText.text(copy.installed))",
    ].compactMap(\.self)
  }

  /// Warnings about a map.
  private static func warnings(_ copy: StoredCopy?) -> [String] {
    guard let copy, let contents = copy.contents else { return [] }
    guard let expiration = contents.expiration else {
      return [contents.problem?.message].compactMap(\.self)
    }
    let day = DayText.text(expiration.date)
    let date =
      copy.isExpired
      ? "It expired on \(day)" + (expiration.preventsAccess ? " and does not open." : ".")
      : "It expires on \(day)" + (expiration.preventsAccess ? " and does not open then." : ".")
    return [[date, expiration.message].compactMap(\.self).joined(separator: " ")]
  }

  private var pictureBlocks: [TextDocument.Block] {
    guard let (pictures, format) = thumbnails else { return [] }
    return items.flatMap { item in
      pictures[item.id]?.blocks(title: item.title, in: format) ?? []
    }
  }

  private func row(_ item: MapListItem) -> [String] {
    let indent = item.kind == .area && items.contains { $0.id == item.webMap } ? "  " : ""
    return [
      item.id, indent + item.title, phrase(item.state),
      item.byteCount.map(ByteCount.text) ?? "",
    ]
  }

  /// The state of a row, in a few words.
  func phrase(_ state: MapListItem.State) -> String {
    switch state {
    case .online: "online"
    case .available: "can be downloaded"
    case .packaging: "packaging"
    case .packagingFailed: "packaging failed"
    case .transferring(let transfer): phrase(transfer)
    case .failed: "failed"
    case .stored(let copy): phrase(copy)
    }
  }

  private func phrase(_ transfer: MapTransfer) -> String {
    let extent = TransferText.extent(transfer.progress)
    switch transfer.state {
    case .running: return "downloading" + (extent.isEmpty ? "" : ", \(extent)")
    default:
      return JobText.phrase(transfer.state, isAttended: isAttended)
        + (extent.isEmpty ? "" : ", \(extent)")
    }
  }

  private func phrase(_ copy: StoredCopy) -> String {
    var words = [copy.isOpen ? "open" : "on this device"]
    switch copy.unsentEdits {
    case 0: break
    case 1: words.append("1 edit not sent")
    case let count?: words.append("\(count) edits not sent")
    case nil: words.append("may have edits not sent")
    }
    if copy.damage != nil { words.append("damaged") }
    if copy.isImported { words.append("imported") }
    if copy.isIncomplete {
      words.append("incomplete")
    } else if !copy.omissions.isEmpty {
      let count = copy.omissions.count
      words.append(count == 1 ? "1 part left out" : "\(count) parts left out")
    }
    if copy.isExpired { words.append("expired") }
    if copy.hasUpdate { words.append("newer on the portal") }
    if let transfer = copy.transfer, transfer.state != .succeededInPart {
      words.append(phrase(transfer))
    }
    return words.joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "maps": .array(items.map(value)),
      "problem": banner?.json ?? .null,
    ]
  }

  private func value(_ item: MapListItem) -> JSONValue {
    var members = item.json
    if let thumbnails { members["thumbnail"] = thumbnails.pictures[item.id]?.json ?? .null }
    return .object(members)
  }
}
