internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline

extension ErrorCode {
  /// The code of a ``JobError``.
  init(of error: JobError) {
    self =
      switch error {
      case .unknown: .noSuchJob
      case .notPossible: .notPossible
      case .journal: .journalFailed
      case .busyJournal: .busyCatalogue
      }
  }

  /// The code of a ``JobFailureKind``.
  init(of error: JobFailureKind) {
    self =
      switch error {
      case .absent: .notFound
      case .signIn: .signInNeeded
      case .transient: .downloadFailed
      case .damaged: .damaged
      case .device: .unwritable
      case .refused: .refused
      case .excluded: .unsupported
      }
  }

  /// The code of an ``OfflineMapError``.
  init(of error: OfflineMapError) {
    self =
      switch error {
      case .packagingNotComplete: .packagingNotComplete
      case .packagingFailed: .packagingFailed
      case .noPackages: .noPackages
      case .wrongItemType: .wrongItemType
      case .damaged: .damaged
      case .unusablePackage: .damaged
      case .noReferenceBasemap: .noReferenceBasemap
      case .badParameters: .badParameters
      case .unknownJobKind: .unknownJobKind
      case .areaEmpty: .areaEmpty
      case .areaCrossesDateline: .areaCrossesDateline
      case .areaCrossesItself: .ringsCross
      case .areaOutside: .areaOutside
      case .attachmentOptions: .attachmentOptions
      case .badScales: .badScales
      case .offlineDisabled: .offlineDisabled
      case .nothingToTake: .nothingToTake
      case .noSuchLayer: .noSuchLayer
      case .tooManyTiles: .tooManyTiles
      case .serverJobFailed: .serverJobFailed
      case .serverJobForgotten: .serverJobForgotten
      case .serviceChanged: .serviceChanged
      case .notSynchronized, .keptWithoutUpdates: .notSynchronized
      case .replicaForgotten: .replicaForgotten
      case .replicaRefused: .replicaRefused
      case .changesMissing: .changesMissing
      case .updatesPurged: .updatesPurged
      }
  }

  /// The code of a ``LibraryError``.
  init(of error: LibraryError) {
    self =
      switch error {
      case .catalogue, .catalogueGone: .catalogueFailed
      case .newerCatalogue: .newerCatalogue
      case .damagedCatalogue: .damagedCatalogue
      case .busyCatalogue: .busyCatalogue
      case .readOnlyHome, .homeWithoutLocks: .readOnlyHome
      case .diskFull, .notRecorded: .diskFull
      case .unwritable, .linkedFolder: .unwritable
      case .unreadable: .unreadable
      case .durabilityUnknown: .durabilityUnknown
      case .damaged, .damagedMap, .damagedVersion: .damaged
      case .noSuchMap: .noSuchMap
      case .notInTrash, .deletedAndKept: .notInTrash
      case .notKept: .notKept
      case .noEarlierVersion: .noEarlierVersion
      case .filesMissing: .filesMissing
      case .inUse, .beingWritten: .inUse
      case .beingEdited: .beingEdited
      case .strayJournal: .unreadable
      case .outdated: .outdated
      case .unsentEdits: .unsentEdits
      case .editsUnknown: .editsUnknown
      case .notOurs, .takenFolder: .notOurs
      case .cancelled: .interrupted
      }
  }
}
