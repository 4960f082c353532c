public import Foundation
public import PortolanFeatures

/// Changes of a service in a mobile geodatabase on the disk, whose rows are read when they are taken in: any
/// number of them takes no more memory than one.
///
/// - SeeAlso: ``GeodatabaseDelta``, which holds all changes in memory.
public struct GeodatabaseDeltaFile: Sendable {
  /// The file, which has to stay there while it is used.
  public let url: URL
  /// The id of the replica at the service.
  public let replicaID: UUID
  /// The generations of the service that the changes of each layer belong to.
  public let layerGenerations: [Int: Int64]
  /// The generation of the service that all changes belong to, where the layers go together; `nil` if the
  /// file names none.
  public let generation: Int64?

  /// Opens a file.
  ///
  /// - Throws: `FeatureStoreError` if the file is none, or holds no changes.
  public init(at url: URL) throws(FeatureStoreError) {
    let reader = try DeltaReader(url)
    self.url = url
    replicaID = reader.replicaID
    layerGenerations = try reader.layerGenerations()
    generation = reader.serverGeneration == 0 ? nil : reader.serverGeneration
  }

  /// The result of the changes that were uploaded, where the file is the answer to that.
  ///
  /// - Throws: `FeatureStoreError` if the file is damaged.
  public func results() throws(FeatureStoreError) -> [GeodatabaseDelta.EditResult] {
    try DeltaReader(url).results()
  }
}
