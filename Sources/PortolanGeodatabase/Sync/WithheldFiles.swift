internal import PortolanFeatures

/// The attachments of features that the file cannot hold, during a transaction: they wait with their
/// features.
final class WithheldFiles {
  /// An attachment that waits.
  struct Entry {
    /// Its number in the file.
    let id: Int64
    /// The layer in the service.
    let layerID: Int
    /// The global id of its feature.
    let parent: String
    /// Its own global id.
    let attachment: String
  }

  private let store: SyncStore
  private var entries: [Entry]

  init(_ store: SyncStore) throws(FeatureEditError) {
    self.store = store
    entries = try store.withheldFiles()
  }

  /// The attachments of a layer, oldest first.
  func entries(ofLayer layerID: Int) -> [Entry] { entries.filter { $0.layerID == layerID } }

  /// An attachment with its contents.
  func file(_ entry: Entry) throws(FeatureEditError) -> GeodatabaseDelta.File? {
    try store.withheldFile(entry)
  }

  /// Keeps an attachment, in place of what is known of it.
  func put(_ file: GeodatabaseDelta.File, _ layerID: Int) throws(FeatureEditError) {
    guard let globalID = file.attachment.globalID else { return }
    try remove(globalID, layerID)
    let id = try store.add(file, globalID, ofLayer: layerID)
    entries.append(
      Entry(id: id, layerID: layerID, parent: file.parentGlobalID, attachment: globalID))
  }

  /// Forgets an attachment.
  func remove(_ globalID: String, _ layerID: Int) throws(FeatureEditError) {
    for entry in entries where entry.layerID == layerID && entry.attachment.isSameID(as: globalID) {
      try remove(entry)
    }
  }

  /// Forgets the attachments of a feature.
  func remove(of parent: String, _ layerID: Int) throws(FeatureEditError) {
    for entry in entries where entry.layerID == layerID && entry.parent.isSameID(as: parent) {
      try remove(entry)
    }
  }

  /// Forgets all.
  func removeAll() throws(FeatureEditError) {
    for entry in entries { try remove(entry) }
  }

  func remove(_ entry: Entry) throws(FeatureEditError) {
    try store.remove(entry)
    entries.removeAll { $0.id == entry.id }
  }
}

extension FeatureEditError {
  /// Whether a row is in the way and not the file: others can be written.
  var isAboutRow: Bool {
    switch self {
    case .unknownField, .wrongType, .outOfRange, .textTooLong, .dataTooLong, .nullNotAllowed,
      .valueNotInDomain, .unknownSubtype, .geometryNotAllowed, .wrongGeometryType, .missingHeights,
      .surplusOrdinates, .incompleteGeometry, .notFinite, .outsideCoordinateRange, .ringsCross,
      .objectIDsUsedUp, .refused:
      true
    default: false
    }
  }
}
