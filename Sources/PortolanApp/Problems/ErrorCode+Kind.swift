extension ErrorCode {
  /// The kind of the problem, by what users can do about it.
  public var kind: Problem.Kind {
    switch self {
    case .notFound, .noSuchFile, .noSuchFolder, .noSuchEntry, .noSuchMap, .noSuchBookmark,
      .noSuchTable, .noSuchField, .noSuchLayer, .noSuchRow, .noSuchAttachment, .noSuchEdit,
      .noSuchJob, .notInTrash, .notKept, .filesMissing, .noSuchTileSource, .noSuchRegion,
      .notCached, .invalidId, .unsearchableLayer:
      .absence
    case .signInNeeded, .signInRefused: .signIn
    case .noNetwork, .unknownHost, .unreachable, .timedOut, .connectionLost: .network
    case .interrupted: .cancellation
    default: .failure
    }
  }
}
