internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTransport

extension JobInterruption {
  /// What an error of the work means for its job: what it waits for, or why it failed.
  init(_ error: any Error) {
    switch error {
    case let error as JobInterruption: self = error
    case is CancellationError: self = .stopped
    case let error as PortalError: self.init(error)
    case let error as TransportError: self.init(PortalError.transport(error))
    case let error as OfflineMapError: self.init(error)
    case LibraryError.cancelled: self = .stopped
    case LibraryError.beingEdited(let map, let holder):
      self = .waiting(.editing(map: map, by: holder.map(FileLockHolder.forOthers)))
    case LibraryError.diskFull, LibraryError.notRecorded: self = .waiting(.space(missing: 0))
    // The program that does ends some time.
    case LibraryError.beingWritten, LibraryError.busyCatalogue, LibraryError.inUse:
      self = .failed(JobFailure(error, kind: .transient))
    case let error as LibraryError: self = .failed(JobFailure(error, kind: .device))
    // What is to be said to a server could not be written down; of work that was cancelled nothing is.
    case is JobError where Task.isCancelled: self = .stopped
    case is JobError: self = .failed(JobFailure(error, kind: .device))
    case FileError.diskFull, CocoaError.fileWriteOutOfSpace: self = .waiting(.space(missing: 0))
    // A disk that fails says nothing of the file that was to be written or removed.
    case is FileError, is CocoaError: self = .failed(JobFailure(error, kind: .device))
    case let error as FeatureEditError: self.init(error)
    case let error as FeatureStoreError: self.init(error)
    case is ChangedFields: self = .failed(JobFailure(error, kind: .refused))
    case PackageError.noSpace(_, let needed, let available):
      self = .waiting(.space(missing: max(0, needed - available)))
    // Fetched again it would be no other.
    case PackageError.expired: self = .failed(JobFailure(error, kind: .refused))
    case PackageError.busy: self = .failed(JobFailure(error, kind: .transient))
    case PackageError.unreadable: self = .failed(JobFailure(error, kind: .device))
    case GeodatabaseWriterError.diskFull: self = .waiting(.space(missing: 0))
    case GeodatabaseWriterError.notWritable: self = .failed(JobFailure(error, kind: .device))
    default: self = .failed(JobFailure(error, kind: .damaged))
    }
  }

  private init(_ error: PortalError) {
    switch error {
    case .cancelled: self = .stopped
    case .transport(.cancelled): self = .stopped
    // A name that no server of names knows is most often one that cannot be asked.
    case .transport(.offline), .transport(.unknownHost): self = .waiting(.network)
    case .transport(.diskFull(_, let missing)): self = .waiting(.space(missing: missing ?? 0))
    case .transport(.storage): self = .failed(JobFailure(error, kind: .device))
    case .signInNeeded(let host): self = .waiting(.signIn(host: host))
    case .part(_, let cause) where cause.decidesAlone: self.init(cause)
    default: self = .failed(JobFailure(error))
    }
  }

  private init(_ error: FeatureEditError) {
    switch error {
    case .cancelled: self = .stopped
    case .diskFull: self = .waiting(.space(missing: 0))
    // The process that holds it ends some time.
    case .locked, .refusedForNow: self = .failed(JobFailure(error, kind: .transient))
    case .fileReadOnly, .folderReadOnly, .unreadable, .writeFailed, .unconfirmed:
      self = .failed(JobFailure(error, kind: .device))
    default: self = .failed(JobFailure(error, kind: .damaged))
    }
  }

  private init(_ error: FeatureStoreError) {
    switch error {
    case .cancelled: self = .stopped
    case .busy: self = .failed(JobFailure(error, kind: .transient))
    case .unreadable: self = .failed(JobFailure(error, kind: .device))
    default: self = .failed(JobFailure(error, kind: .damaged))
    }
  }

  private init(_ error: OfflineMapError) {
    let kind: JobFailureKind =
      switch error {
      case .packagingNotComplete, .packagingFailed, .noPackages: .absent
      case .damaged, .changesMissing: .damaged
      case .noReferenceBasemap: .device
      case .wrongItemType, .unusablePackage, .badParameters, .unknownJobKind, .areaEmpty,
        .areaCrossesDateline, .areaCrossesItself, .areaOutside,
        .attachmentOptions, .badScales, .offlineDisabled, .nothingToTake, .noSuchLayer,
        .serverJobFailed, .tooManyTiles,
        .notSynchronized, .keptWithoutUpdates, .replicaRefused:
        .refused
      case .serverJobForgotten, .serviceChanged: .transient
      case .replicaForgotten, .updatesPurged: .absent
      }
    self = .failed(JobFailure(error, kind: kind))
  }
}

extension PortalError {
  /// Whether the error says what to wait for, whatever it is a part of.
  fileprivate var decidesAlone: Bool {
    switch self {
    case .cancelled, .signInNeeded, .transport: true
    case .part(_, let cause): cause.decidesAlone
    default: false
    }
  }

  /// The HTTP status that reported the failure, or the code in the body that did.
  var status: Int? {
    switch self {
    case .notPermitted(_, let envelope), .server(_, let envelope): envelope.code
    case .notFound(_, let envelope): envelope?.code ?? 404
    case .rateLimited: 429
    case .signInNeeded: 401
    case .part(_, let cause): cause.status
    default: nil
    }
  }

  /// How long the server asks clients to wait.
  fileprivate var retryAfter: Duration? {
    switch self {
    case .rateLimited(_, let pause): pause
    case .server(_, let envelope): envelope.retryAfter
    default: nil
    }
  }

  /// What helps against it.
  fileprivate var failureKind: JobFailureKind {
    switch self {
    case .notFound: .absent
    case .notPermitted, .signInNeeded, .signIn: .signIn
    case .rateLimited: .transient
    case .notJSON, .unexpected, .transport(.malformed), .transport(.tooManyRedirects): .damaged
    case .transport(.storage): .device
    case .server(_, let envelope) where envelope.code == 410: .absent
    case .server(_, let envelope) where envelope.code.map { $0 >= 500 || $0 == 408 } ?? false:
      .transient
    case .part(_, let cause): cause.failureKind
    default: isTransient ? .transient : .refused
    }
  }
}

extension JobFailure {
  /// A refusal of a portal, with the pause that it asks for.
  fileprivate init(_ error: PortalError) {
    self.init(error, kind: error.failureKind)
    if let pause = error.retryAfter { retryAfter = pause / .seconds(1) }
    if error.isWithoutAnswer { isUnanswered = true }
  }

  /// An error in sentences.
  init(_ error: any Error, kind: JobFailureKind) {
    let localized = error as? any LocalizedError
    self.init(
      message: localized?.errorDescription ?? error.localizedDescription,
      advice: localized?.recoverySuggestion, kind: kind)
  }
}
