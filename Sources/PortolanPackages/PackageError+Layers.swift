internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanTiles

extension PackageError {
  /// What a fault of an archive means for the package in it.
  init(_ error: ArchiveError, file: String, place: String? = nil) {
    switch error {
    case .unreadable(_, let reason): self = .unreadable(file: file, reason: reason)
    case .unwritable(let target, let reason):
      self = .unreadable(file: file, reason: "it cannot be decompressed to \(target): \(reason)")
    case .alreadyExists(let target):
      self = .unreadable(
        file: file, reason: "it cannot be decompressed to \(target): \(error.fault)")
    case .noSpace(_, _, let needed, let available):
      self = .noSpace(file: file, needed: needed, available: available)
    case .notAnArchive: self = .notAPackage(file: file, reason: "it is not a ZIP archive")
    case .unsupported(_, let entry, let feature):
      self = .unsupported(
        file: file, place: entry.isEmpty ? "the archive" : entry, feature: feature)
    case .truncated(_, let offset):
      self = .damaged(
        file: file, place: place ?? "byte \(offset)", reason: "the file ends too early")
    default:
      self = .damaged(
        file: file, place: place ?? error.entry ?? "its directory", reason: error.fault)
    }
  }

  /// What a fault of a geodatabase means where it is the whole package.
  init(_ error: FeatureStoreError, file: String) {
    switch error {
    case .damaged(_, let place, let reason):
      self = .damaged(file: file, place: place, reason: reason)
    case .unsupported(_, let feature):
      self = .notAPackage(file: file, reason: "it is \(feature)")
    case .busy(_, let holder): self = .busy(file: file, holder: holder)
    case .unreadable(_, let reason): self = .unreadable(file: file, reason: reason)
    default:
      self = .unreadable(file: file, reason: error.plainReason)
    }
  }

  /// What a fault of a tile package means where it is the whole package.
  init(_ error: TileError, file: String) {
    switch error {
    case .damaged(_, let place, let reason):
      self = .damaged(file: file, place: place, reason: reason)
    case .unsupported(_, let reason): self = .notAPackage(file: file, reason: reason)
    case .unreadable(_, let reason): self = .unreadable(file: file, reason: reason)
    default:
      self = .unreadable(file: file, reason: error.plainReason)
    }
  }
}
