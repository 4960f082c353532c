internal import PortolanTileCache

extension ErrorCode {
  /// The code of a `TileCacheError`.
  init(of error: TileCacheError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .badZoom, .badLatitude, .badLongitude, .badTile, .outsideSource: .outOfRange
      case .badTemplate: .badAddress
      case .badSource, .noParts: .notATileSource
      case .notCached: .notCached
      case .signInNeeded: .signInNeeded
      case .tooManyRequests: .rateLimited
      case .refused(_, 404), .refused(_, 410): .notFound
      case .refused: .serverError
      case .nothingThere, .notATile: .notATile
      case .transport(let error): Self(of: error)
      case .forbidden, .levelsForbidden: .bulkForbidden
      case .tooManyTiles: .tooManyTiles
      case .emptyRegion: .areaEmpty
      case .nameTaken, .sourceTaken: .alreadyExists
      case .noSuchRegion: .noSuchRegion
      case .noServer: .notPossible
      case .regionInUse, .sourceInUse, .busy: .inUse
      case .newerCache: .unsupportedVersion
      case .storage: .cacheFailed
      case .diskFull: .diskFull
      case .tiles(let error): Self(of: error)
      }
  }
}

extension NextAction {
  /// The actions possible after a `TileCacheError` of its own.
  ///
  /// An error with an underlying cause is described by that cause.
  static func actions(after error: TileCacheError) -> [NextAction] {
    switch error {
    case .tooManyRequests, .notATile, .regionInUse, .busy: [.init(.retry)]
    case .refused(_, let status) where status >= 500: [.init(.retry)]
    case .transport(let error): actions(after: error as any Error)
    case .forbidden(let source, _): [.init(.allowRegions, source)]
    case .nameTaken, .sourceTaken: [.init(.chooseAnotherName)]
    case .noSuchRegion: [.init(.listTileRegions)]
    case .diskFull: [.init(.freeSpace)]
    default: []
    }
  }
}
