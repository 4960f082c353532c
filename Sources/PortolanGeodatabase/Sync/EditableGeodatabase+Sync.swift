public import Foundation
public import PortolanFeatures

/// What a synchronization does with a file; each call is one transaction.
extension EditableGeodatabase {
  /// How the file is registered at its service; `nil` if it never was.
  public func syncState() async throws(FeatureEditError) -> GeodatabaseSyncState? {
    try await sync { sync throws(FeatureEditError) in try sync.state() }
  }

  /// The edits that could not be exchanged, oldest first.
  public func syncIssues() async throws(FeatureEditError) -> [SyncIssue] {
    try await sync { sync throws(FeatureEditError) in try sync.store.all() }
  }

  /// Settles an edit that could not be exchanged.
  public func resolve(
    _ id: SyncIssue.ID, as resolution: SyncIssue.Resolution
  ) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in try sync.resolve(id, as: resolution) }
  }

  /// The edits that are to be sent.
  public func makeUpload() async throws(FeatureEditError) -> SyncUpload {
    try await sync { sync throws(FeatureEditError) in try sync.upload() }
  }

  /// An upload of which nobody knows yet what became of it.
  public func pendingUpload() async throws(FeatureEditError) -> PendingUpload? {
    try await sync { sync throws(FeatureEditError) in try sync.store.pendingUpload() }
  }

  /// Keeps what is sent, before it is sent; `nil` for nothing any more.
  public func setPendingUpload(_ upload: PendingUpload?) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.editing.rewriting { () throws(FeatureEditError) in
        try sync.store.setPending(upload)
      }
    }
  }

  /// Takes what a service has received for synchronized, and lists what it has refused.
  ///
  /// - Returns: How many edits the service has.
  @discardableResult
  public func finish(
    _ upload: PendingUpload, results: [GeodatabaseDelta.EditResult]
  ) async throws(FeatureEditError) -> Int {
    try await sync { sync throws(FeatureEditError) in try sync.finish(upload, results) }
  }

  /// Writes what changed at the service, and the generations up to which that is.
  @discardableResult
  public func receive(
    _ delta: GeodatabaseDelta, layerGenerations: [Int: Int64], generation: Int64?
  ) async throws(FeatureEditError) -> SyncReceipt {
    try await sync { sync throws(FeatureEditError) in
      try sync.receive(delta, layerGenerations, generation)
    }
  }

  /// Notes when everything was synchronized, if there is no edit left.
  public func noteSync(at date: Date) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in try sync.noteSync(at: date) }
  }

  private func sync<T: Sendable>(
    _ body: @Sendable (GeodatabaseSync) throws(FeatureEditError) -> T
  ) async throws(FeatureEditError) -> T {
    try await session.reader.edit { editing throws(FeatureEditError) in
      try body(GeodatabaseSync(editing: editing))
    }
  }
}
