internal import PortolanJobs

// The actions on a row: functions of its state, and of nothing else.
extension MapListItem {
  /// Whether it can be opened with no network.
  public var canOpenOffline: Bool { copy != nil }

  /// Whether it can be opened: not what has expired and may not be used since.
  public var canOpen: Bool { copy.map { !$0.isShut } ?? (state == .online) }

  /// Whether it can be downloaded, for the first time or again.
  public var canDownload: Bool {
    guard !isDrawn else { return false }
    return switch state {
    case .available: true
    case .failed: true
    case .stored(let copy) where copy.isImported: false
    case .stored(let copy): copy.transfer.map { $0.state.isFinal } ?? true
    case .online, .packaging, .packagingFailed, .transferring: false
    }
  }

  /// Whether what is stored can be deleted.
  public var canDelete: Bool { copy.map { !$0.isOpen } ?? false }

  /// Whether its download can be paused.
  public var canPause: Bool { transfer?.state.canPause ?? false }

  /// Whether its download can continue.
  public var canResume: Bool { transfer?.state.canResume ?? false }

  /// Whether its download can be cancelled.
  public var canCancel: Bool { transfer?.state.canCancel ?? false }

  /// Whether the failed items of its download can be retried alone, or left out.
  public var canSettleFailures: Bool { transfer?.state.canSettleFailures ?? false }

  /// Whether retrying the failed items of its download may help.
  public var canRetryFailures: Bool { transfer?.canRetryFailures ?? false }

  /// Its copy on this device.
  public var copy: StoredCopy? {
    if case .stored(let copy) = state { copy } else { nil }
  }

  /// The job that downloads it.
  public var transfer: MapTransfer? {
    switch state {
    case .transferring(let transfer), .failed(let transfer, _): transfer
    case .stored(let copy): copy.transfer
    case .online, .available, .packaging, .packagingFailed: nil
    }
  }

  /// Takes over how far its download is.
  ///
  /// - Parameter transfer: The same download, later.
  /// - Returns: Whether nothing else of the row changes; if not, nothing has.
  mutating func advance(to transfer: MapTransfer) -> Bool {
    guard !transfer.state.isFinal else { return false }
    switch state {
    case .transferring: state = .transferring(transfer)
    case .stored(var copy) where copy.transfer?.state.isFinal == false:
      copy.transfer = transfer
      state = .stored(copy)
    case .online, .available, .packaging, .packagingFailed, .failed, .stored: return false
    }
    return true
  }
}
