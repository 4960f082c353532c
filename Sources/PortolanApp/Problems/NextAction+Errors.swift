internal import PortolanAuthoring
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTileCache
internal import PortolanTiles
internal import PortolanTransport
internal import PortolanWebMaps

extension NextAction {
  /// The actions possible after an error.
  static func actions(after error: any Error) -> [NextAction] {
    switch error {
    case let error as TransportError: actions(after: error)
    case let error as PortalError: actions(after: error)
    case let error as CredentialStoreError: actions(after: error)
    case let error as OnlineMapError: actions(after: error)
    case let error as FeatureStoreError: actions(after: error)
    case let error as FeatureEditError: actions(after: error)
    case let error as LibraryError: actions(after: error)
    case let error as JobFailure: actions(after: error)
    case let error as TileCacheError: actions(after: error)
    default: fileActions(after: error)
    }
  }

  private static func fileActions(after error: any Error) -> [NextAction] {
    switch error {
    case FileError.diskFull, PackageError.noSpace, PackageUnpackerError.noSpace:
      [.init(.freeSpace)]
    case FileError.inUse: [.init(.retry)]
    case FileError.alreadyExists: [.init(.chooseAnotherName)]
    case ConversionError.targetExists: [.init(.chooseAnotherName), .init(.replace)]
    case SharingError.itemExists(_, let id): [.init(.chooseAnotherName), .init(.replace, id)]
    case SharingError.notStored, SharingError.refused, SharingError.incomplete,
      SharingError.changed, SharingError.inUse, PackageError.busy:
      [.init(.retry)]
    case AuthoringError.targetExists: [.init(.chooseAnotherName), .init(.replace)]
    case ConversionError.severalLayers: [.init(.chooseLayer)]
    case ConversionError.sameFile: [.init(.chooseAnotherName)]
    case InspectionError.noFeatures(let file, _), PackageError.notAPackage(let file, _),
      TileError.noTiles(let file, _):
      [.init(.inspect, file)]
    case JobError.unknown: [.init(.listJobs)]
    case JobError.busyJournal: [.init(.retry)]
    default: []
    }
  }

  private static func actions(after error: TransportError) -> [NextAction] {
    switch error {
    case .offline: [.init(.goOnline)]
    case .unknownHost, .unreachable, .timedOut, .interrupted: [.init(.retry)]
    case .diskFull: [.init(.freeSpace)]
    case .untrusted: [.init(.changeSetting, SettingKey.anyCertificateHosts.rawValue)]
    default: []
    }
  }

  private static func actions(after error: PortalError) -> [NextAction] {
    switch error {
    case .transport(let error): actions(after: error)
    case .part(_, let error): actions(after: error)
    case .signInNeeded(let host): [.init(.signIn, host)]
    case .notPermitted: [.init(.signIn)]
    case .rateLimited, .server: [.init(.retry)]
    case .signIn(let failure): actions(after: failure)
    default: []
    }
  }

  private static func actions(after failure: SignInFailure) -> [NextAction] {
    switch failure {
    case .refused: [.init(.signInWithBrowser)]
    case .notSignedIn(let host): [.init(.signIn, host)]
    case .denied(let host): [.init(.signIn, host)]
    case .timedOut, .noRedirect: [.init(.signInWithCode)]
    case .plainHTTP: [.init(.changeSetting, SettingKey.plainHTTPHosts.rawValue)]
    case .storage(let error): actions(after: error)
    default: []
    }
  }

  private static func actions(after error: CredentialStoreError) -> [NextAction] {
    if case .foreign = error { [.init(.chooseAnotherHome)] } else { [] }
  }

  private static func actions(after error: OnlineMapError) -> [NextAction] {
    switch error {
    case .portal(.signInNeeded(let host)): [.init(.retryLayer), .init(.signIn, host)]
    case .portal(let error): actions(after: error)
    case .notAWebMap: [.init(.findWebMaps)]
    case .bingKeyNeeded:
      [.init(.changeSetting, SettingKey.bingKey.rawValue), .init(.skipLayer)]
    default: []
    }
  }

  private static func actions(after error: FeatureStoreError) -> [NextAction] {
    switch error {
    case .noSuchField: [.init(.listFields)]
    case .busy: [.init(.retry)]
    case .unanswered(let query): actions(after: query)
    default: []
    }
  }

  private static func actions(after query: UnansweredQuery) -> [NextAction] {
    switch query.cause {
    case .signIn: [.init(.signIn)]
    case .network: [.init(.goOnline)]
    case .silence: [.init(.retry)]
    case .absence, .failure: []
    }
  }

  private static func actions(after error: FeatureEditError) -> [NextAction] {
    switch error {
    case .noSuchRow: [.init(.findFeatures)]
    case .unknownField: [.init(.listFields)]
    case .cannotRelate: [.init(.inspect)]
    case .diskFull: [.init(.freeSpace)]
    case .locked, .refusedForNow: [.init(.retry)]
    case .notMade(let query): actions(after: query)
    default: []
    }
  }

  private static func actions(after error: LibraryError) -> [NextAction] {
    switch error {
    case .diskFull, .notRecorded: [.init(.freeSpace)]
    case .noSuchMap: [.init(.listMaps)]
    case .notInTrash(nil): [.init(.listKept)]
    case .notInTrash: [.init(.listDeleted)]
    case .deletedAndKept, .notKept: [.init(.listKept)]
    case .damagedMap(let map, _, mayHoldEdits: true): [.init(.exportDamaged, map), .init(.repair)]
    case .damagedCatalogue, .damaged, .damagedMap: [.init(.repair)]
    case .busyCatalogue, .inUse, .beingEdited, .beingWritten, .editsUnknown: [.init(.retry)]
    case .newerCatalogue: [.init(.chooseAnotherHome)]
    case .unsentEdits(let map, _): [.init(.sendEdits, map)]
    default: []
    }
  }

  private static func actions(after failure: JobFailure) -> [NextAction] {
    switch failure.kind {
    case .signIn: [.init(.signIn, failure.signInHost)]
    case .transient, .damaged: [.init(.retry)]
    case .device: [.init(.freeSpace)]
    case .absent, .refused, .excluded: []
    }
  }
}
