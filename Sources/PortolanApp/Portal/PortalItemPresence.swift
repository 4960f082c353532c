internal import Foundation
internal import PortolanJSON
public import PortolanJobs

/// The state of a portal's package on this device.
public enum PortalItemPresence: Hashable, Sendable, Codable {
  /// It is not here.
  case absent
  /// It is on its way, or its download has stopped.
  case transferring(MapTransfer)
  /// Its download has failed, and nothing of it is here.
  case failed(JobFailure)
  /// It is here, as the portal has it.
  case stored
  /// It is here, and the portal has a newer one.
  case outdated

  /// The state in a word or two, as documents hold it.
  public var word: String {
    switch self {
    case .absent: "absent"
    case .transferring: "downloading"
    case .failed: "failed"
    case .stored: "stored"
    case .outdated: "update-available"
    }
  }
}

extension PortalItemPresence {
  /// The states of the packages that a search found, by their ids; other items have none.
  ///
  /// - Parameters:
  ///   - rows: What was found.
  ///   - items: The list of maps; empty where nothing was ever stored.
  /// - Returns: The states.
  public static func states(
    of rows: [PortalBrowserModel.Row], among items: [MapListItem]
  ) -> [String: PortalItemPresence] {
    let known = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    var states: [String: PortalItemPresence] = [:]
    for row in rows where PortalBrowserModel.packageTypes.contains(row.kind) {
      states[row.id] = known[row.id].map { PortalItemPresence($0, offeredAs: row) } ?? .absent
    }
    return states
  }

  private init(_ item: MapListItem, offeredAs row: PortalBrowserModel.Row) {
    switch item.state {
    case .transferring(let transfer): self = .transferring(transfer)
    case .failed(_, let failure): self = .failed(failure)
    case .stored(let copy):
      if let transfer = copy.transfer, !transfer.state.isFinal {
        self = .transferring(transfer)
        return
      }
      // The search result is newer than the row of the map.
      let isNewer = item.modified.flatMap { stored in row.modified.map { stored < $0 } }
      self = copy.hasUpdate || isNewer == true ? .outdated : .stored
    case .online, .available, .packaging, .packagingFailed: self = .absent
    }
  }

  /// The progress of its download, as documents hold it; `null` without one.
  var progressJSON: JSONValue {
    guard case .transferring(let transfer) = self else { return .null }
    return transfer.progress.json
  }
}
