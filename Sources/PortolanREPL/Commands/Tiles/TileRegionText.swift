internal import Foundation
internal import PortolanApp

/// Regions of tiles, as people read of them.
enum TileRegionText {
  /// The state of a region, in a few words.
  static func phrase(_ region: TileRegionSummary) -> String {
    switch region.status {
    case .downloading: "being downloaded"
    case .updating: "being updated"
    case .interrupted: "interrupted"
    case .paused: "paused"
    case .complete: "complete"
    case .partlyComplete: "complete but for \(region.counts.failed)"
    case .empty: "empty"
    case .importing: "importing"
    case .deleting: "being deleted"
    }
  }

  /// The number of tiles that are done: `540 of 1200`, `1200`.
  static func extent(_ region: TileRegionSummary) -> String {
    let counts = region.counts
    let done = counts.checked ?? counts.done
    return done == counts.planned ? "\(counts.planned)" : "\(done) of \(counts.planned)"
  }

  /// The same in words: `540 of 1200 tiles`, `1 tile`.
  static func tiles(_ region: TileRegionSummary) -> String {
    "\(extent(region)) \(region.counts.planned == 1 ? "tile" : "tiles")"
  }

  /// A passing line with the tiles, the bytes, the rate and the time that is left.
  static func line(_ region: TileRegionSummary) -> String {
    var parts = [
      "\(Int(region.fraction * 100)) %", tiles(region), ByteCount.text(region.byteCount),
    ]
    if region.counts.failed > 0 { parts.append("\(region.counts.failed) failed") }
    if let wait = region.hostWait {
      parts.append(TransferText.waiting(for: wait))
      return "\(region.name)  \(parts.joined(separator: ", "))"
    }
    if let rate = region.pace?.tilesPerSecond, rate >= 1 { parts.append("\(Int(rate)) tiles/s") }
    if let rate = region.pace?.bytesPerSecond, rate >= 1 {
      parts.append("\(ByteCount.text(Int(rate)))/s")
    }
    if let seconds = region.pace?.remainingSeconds {
      parts.append("\(TransferText.time(seconds)) left")
    }
    return "\(region.name)  \(parts.joined(separator: ", "))"
  }

  /// The levels: `8 to 13`, `8`.
  static func levels(_ levels: ClosedRange<Int>) -> String {
    levels.count == 1 ? "\(levels.lowerBound)" : "\(levels.lowerBound) to \(levels.upperBound)"
  }

  /// The line that downloads tiles of a region.
  static func command(_ name: String, _ pass: TileRegionsModel.Pass) -> String {
    command("tiles download", name, option(pass))
  }

  private static func option(_ pass: TileRegionsModel.Pass) -> String {
    switch pass {
    case .missing: ""
    case .failed: " --retry"
    case .update: " --update"
    }
  }

  /// What to do where the server of a region refuses the key of its source.
  static func renewingKey(of name: String, _ pass: TileRegionsModel.Pass) -> String {
    let line =
      pass == .missing
      ? "the line that it was requested with"
      : command("tiles download", name, option(pass) + " --source ADDRESS")
    return
      "If the key of its source has expired, \(line) continues it with the new key in the address. "
      + "Headers are given with --header."
  }

  /// A line about a region; in quotes where it holds none.
  static func command(_ words: String, _ name: String, _ option: String = "") -> String {
    let word = name.quotedIfNeeded
    let line = "\(words) \(word)\(option)"
    return word == name ? "\"\(line)\"" : line
  }

  /// Notes on the tiles that are not here, a sentence each.
  static func notes(_ region: TileRegionSummary) -> [String] {
    let (counts, name) = (region.counts, region.name)
    var notes: [String] = []
    if region.status == .empty, let reason = region.reason {
      return [reason + " " + "\(command(name, .update)) asks for them again."]
    }
    if counts.absent > 0 { notes.append("\(counts.absent) absent: the server has none there.") }
    if counts.blank > 0 {
      notes.append(
        "\(counts.blank) blank and left out, which saves \(ByteCount.text(region.savedByteCount)).")
    }
    if counts.failed > 0, region.isImported {
      notes.append("\(counts.failed) could not be read; import a whole file to replace the region.")
    } else if counts.failed > 0 {
      notes.append("\(counts.failed) failed; \(command(name, .failed)) asks again.")
    }
    if counts.failedUpdates > 0 {
      notes.append(
        counts.failedUpdates == 1
          ? "1 could not be checked for changes, and stays as it is."
          : "\(counts.failedUpdates) could not be checked for changes, and stay as they are."
      )
    }
    if region.status == .interrupted, counts.remaining == 0 {
      notes.append("Its update was interrupted; \(command(name, .update)) continues it.")
    }
    if counts.remaining > 0, region.isImported {
      notes.append(
        counts.remaining == 1
          ? "1 is missing, and there is no source to download it from."
          : "\(counts.remaining) are missing, and there is no source to download them from.")
    } else if counts.remaining > 0, !region.isUnderWay {
      notes.append("\(counts.remaining) to download; \(command(name, .missing)) continues.")
    }
    if let reason = region.reason { notes.append("It is paused: \(reason)") }
    return notes
  }
}
