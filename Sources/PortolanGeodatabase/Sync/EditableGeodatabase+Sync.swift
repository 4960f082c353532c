public import Foundation
public import PortolanFeatures

/// What a synchronization does with a file; each call is one transaction.
extension EditableGeodatabase {
  /// How the file is registered at its service; `nil` if it never was.
  public func syncState() async throws(FeatureEditError) -> GeodatabaseSyncState? {
    try await sync { sync throws(FeatureEditError) in
      guard var state = try sync.state() else { return nil }
      state.home = try sync.store.home()
      state.requestedCopy = try sync.store.requestedCopy()
      return state
    }
  }

  /// The edits that could not be exchanged, oldest first.
  public func syncIssues() async throws(FeatureEditError) -> [SyncIssue] {
    try await sync { sync throws(FeatureEditError) in try sync.store.all() }
  }

  /// The edits that could not be exchanged, oldest first, each with the edits that a decision on it settles.
  ///
  /// What is read of the features afterwards is not older than those: later edits keep a decision from being
  /// carried out. They are `nil` where nothing can be decided, since the file belongs to no service.
  public func syncIssuesToDecide() async throws(FeatureEditError) -> [(
    issue: SyncIssue, edits: SettledEdits?
  )] {
    try await sync { sync throws(FeatureEditError) in try sync.issuesToDecide() }
  }

  /// The names of the attachments that an edit which could not be exchanged is about, as far as they are known.
  public func attachmentNames(of issue: SyncIssue) async throws(FeatureEditError) -> [String] {
    try await sync { sync throws(FeatureEditError) in try sync.fileNames(of: issue) }
  }

  /// A feature as it was when the file was synchronized last: what its service has of it, unless others
  /// have changed it since; `nil` if it was added since then, or the table keeps no history.
  public func synchronizedFeature(
    _ objectID: Int64, in table: String
  ) async throws(FeatureEditError) -> Feature? {
    try await sync { sync throws(FeatureEditError) in
      try sync.synchronizedFeature(objectID, in: table)
    }
  }

  /// The tables that are left out of synchronization.
  ///
  /// - Parameter stopped: The layers whose edits stay since something is wrong with them at the service: they are
  ///   not listed for that, but what waits for their edits is.
  /// - Returns: The tables.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  public func unsynchronizedTables(
    leavingOut stopped: Set<Int> = []
  ) async throws(FeatureEditError) -> [UnsynchronizedTable] {
    try await sync { sync throws(FeatureEditError) in
      try sync.unsynchronizedTables(leavingOut: stopped)
    }
  }

  /// The numbers of the layers that are synchronized.
  public func synchronizedLayers() async throws(FeatureEditError) -> Set<Int> {
    try await sync { sync throws(FeatureEditError) in
      Set(try sync.tables(try sync.requiredState()).map(\.layer.layerID))
    }
  }

  /// Settles an edit that could not be exchanged, with all that belongs together with its feature.
  ///
  /// - Parameters:
  ///   - id: The number of the edit.
  ///   - resolution: What is done about it.
  ///   - seen: The edits that the decision is about; `nil` for those that are there now.
  /// - Throws: `FeatureEditError.conflictChanged` if others are there now; nothing has changed then.
  public func resolve(
    _ id: SyncIssue.ID, as resolution: SyncIssue.Resolution, ifStill seen: SettledEdits? = nil
  ) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.resolve(id, as: resolution, ifStill: seen)
    }
  }

  /// Changes the feature of an edit that could not be exchanged, and settles that so that the feature is sent
  /// as it then is.
  ///
  /// - Parameters:
  ///   - id: The number of the edit.
  ///   - attributes: The values that are changed.
  ///   - seen: The edits that the decision is about; `nil` for those that are there now.
  /// - Throws: `FeatureEditError` if there is no such edit or feature any more, other edits are there than the
  ///   decision is about, or a value cannot be stored; nothing has changed then.
  public func resolve(
    _ id: SyncIssue.ID, changing attributes: [String: AttributeValue],
    ifStill seen: SettledEdits? = nil
  ) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.resolve(id, changing: attributes, ifStill: seen)
    }
  }

  /// The edits that are to be sent.
  ///
  /// - Parameters:
  ///   - attachmentLimit: The most bytes of attachments that go at once, unless one alone has more; the
  ///     others go once these have arrived.
  ///   - limit: What goes at once, with attachments, where the edits are written into the request; one edit
  ///     goes in any case. All go at once if `nil`.
  ///   - stopped: The layers whose edits stay.
  ///   - sent: The edits that were sent before, whatever became of them.
  /// - Returns: The edits; that there are more is noted in it.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  public func makeUpload(
    attachmentLimit: Int = SyncUpload.defaultAttachmentLimit, within limit: SyncUpload.Limit? = nil,
    leavingOut stopped: Set<Int> = [], besides sent: Set<SyncUpload.Edit> = []
  ) async throws(FeatureEditError) -> SyncUpload {
    try await sync { sync throws(FeatureEditError) in
      try sync.upload(
        GeodatabaseSync.UploadLimits(attachments: attachmentLimit, request: limit),
        leavingOut: stopped, besides: sent)
    }
  }

  /// Features that were added here, with all of their attachments, as many as go into one request; and those
  /// attachments that have not arrived with such features.
  ///
  /// - Parameters:
  ///   - limit: What goes at once; one feature goes in any case.
  ///   - stopped: The layers whose features stay.
  ///   - sent: The global ids of features that were sent before, whatever became of them.
  ///   - lacking: Those attachments, as ``attachmentsLackedByService()`` knows them.
  /// - Returns: The features; that there are more is noted in it.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  public func makeUploadOfNewFeatures(
    _ limit: SyncUpload.Limit, leavingOut stopped: Set<Int> = [], besides sent: Set<String> = [],
    with lacking: Set<String> = []
  ) async throws(FeatureEditError) -> SyncUpload {
    try await sync { sync throws(FeatureEditError) in
      try sync.newFeatures(limit, leavingOut: stopped, besides: sent, with: lacking)
    }
  }

  /// The attachments that the service of a file that is not registered lacks although it has their features,
  /// which were added here.
  public func attachmentsLackedByService() async throws(FeatureEditError) -> Set<String> {
    try await sync { sync throws(FeatureEditError) in try sync.store.lackingFiles() }
  }

  /// An upload whose outcome is not known yet.
  public func pendingUpload() async throws(FeatureEditError) -> PendingUpload? {
    try await sync { sync throws(FeatureEditError) in try sync.store.pendingUpload() }
  }

  /// Keeps what is sent, before it is sent; `nil` for nothing any more.
  public func setPendingUpload(_ upload: PendingUpload?) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.editing.rewriting(keepingPlan: true) { () throws(FeatureEditError) in
        try sync.store.setPending(upload)
      }
    }
  }

  /// Notes where the service says what became of the upload that is kept.
  ///
  /// - Parameters:
  ///   - url: The address; `nil` if the service has answered at once.
  ///   - submitted: When it has answered.
  ///   - uploadID: The file at the service that it makes use of; `nil` for none.
  /// - Throws: `FeatureEditError` if that cannot be written.
  public func setPendingStatus(
    _ url: String?, submitted: Date, of uploadID: String? = nil
  ) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.editing.rewriting(keepingPlan: true) { () throws(FeatureEditError) in
        try sync.store.setPendingStatus(url, submitted: submitted, of: uploadID)
      }
    }
  }

  /// Takes what a service has received for synchronized, and lists what it has refused.
  ///
  /// - Parameters:
  ///   - upload: What was sent.
  ///   - results: What the service says about it.
  ///   - isCertain: Whether the service has ended without errors, so that attachments, which it does
  ///     not list, have arrived with their features.
  /// - Returns: How many edits the service has.
  /// - Throws: `FeatureEditError` if that cannot be written.
  @discardableResult
  public func finish(
    _ upload: PendingUpload, results: [GeodatabaseDelta.EditResult], isCertain: Bool = true
  ) async throws(FeatureEditError) -> SentEdits {
    try await sync { sync throws(FeatureEditError) in
      try sync.finish(upload, results, isCertain: isCertain)
    }
  }

  /// Writes what changed at the service, and the generations up to which that is.
  @discardableResult
  public func receive(
    _ delta: GeodatabaseDelta, layerGenerations: [Int: Int64], generation: Int64?
  ) async throws(FeatureEditError) -> SyncReceipt {
    try await sync { sync throws(FeatureEditError) in
      try sync.receive(delta.layers, layerGenerations, generation)
    }
  }

  /// Writes what changed at the service, and the generations up to which that is; its rows are read from a
  /// file one after the other.
  ///
  /// - Parameters:
  ///   - delta: The file.
  ///   - layerGenerations: The generations of layers.
  ///   - generation: The generation where the layers go together.
  ///   - layers: The layers of which nothing is written.
  /// - Returns: What came in.
  /// - Throws: `FeatureEditError` if that cannot be written, or the file is damaged; nothing came in then.
  @discardableResult
  public func receive(
    _ delta: GeodatabaseDeltaFile, layerGenerations: [Int: Int64], generation: Int64?,
    leavingOut layers: Set<Int> = []
  ) async throws(FeatureEditError) -> SyncReceipt {
    try await sync { sync throws(FeatureEditError) in
      try sync.receive(delta, layerGenerations, generation, leavingOut: layers)
    }
  }

  /// Whether attachments come in from the service of the file, as it was registered.
  public func receivesAttachments() async throws(FeatureEditError) -> Bool {
    try await sync { sync throws(FeatureEditError) in try sync.receivesAttachments() }
  }

  /// How the file was registered at its service; `nil` if it never was.
  public func syncReplica() async throws(FeatureEditError) -> SyncReplica? {
    try await sync { sync throws(FeatureEditError) in try sync.replica() }
  }

  /// Takes a new replica of the service in place of one that it has forgotten, or that it exchanges no more.
  ///
  /// Its registration and what differs in it are taken over. Edits stay edits; those of features that
  /// others have edited too are listed as conflicts.
  ///
  /// - Parameters:
  ///   - url: The new replica, a mobile geodatabase of the same layers.
  ///   - home: For which map and home it was made, as ``setHome(_:)`` takes it; what is noted stays if `nil`.
  ///   - removed: The layers that the new replica lacks, since the service has them no more: their tables
  ///     stay as they are, with their edits.
  ///   - present: Asks the service for those features of a layer that it has, by global id: the new replica
  ///     need not hold all that was sent from here. `nil` if it does not tell.
  /// - Returns: What came in.
  /// - Throws: `FeatureEditError`, `FeatureStoreError` if the new replica cannot be read; the file is
  ///   as it was then. What `present` throws.
  @discardableResult
  public func renew(
    from url: URL, home: String? = nil, leavingOut removed: Set<Int> = [],
    present: (_ layer: Int, _ globalIDs: [String]) async throws -> [String: Feature]?
  ) async throws -> SyncReceipt {
    let other = try EditableGeodatabase.open(at: url, now: { Date() }, makeID: { UUID() })
    do {
      let receipt = try await renew(from: other, at: url, home, removed, present)
      await other.close()
      return receipt
    } catch {
      await other.close()
      throw error
    }
  }

  private func renew(
    from other: EditableGeodatabase, at url: URL, _ home: String?, _ removed: Set<Int>,
    _ present: (Int, [String]) async throws -> [String: Feature]?
  ) async throws -> SyncReceipt {
    let found = try await other.syncReplica()
    guard let found, try await other.syncState()?.isRegistered == true else {
      throw FeatureEditError.unreadable(
        file: url.lastPathComponent, reason: "no service knows it as its copy")
    }
    let own = try await sync { sync throws(FeatureEditError) in try sync.contents() }
    let schemas = Dictionary(own.map { ($0.layerID, $0.schema) }, uniquingKeysWith: { $1 })
    let fresh = try await other.sync { sync throws(FeatureEditError) in
      try sync.contents(schemas)
    }
    let withheld = try await other.sync { sync throws(FeatureEditError) in
      try sync.withheldRows()
    }
    var delta = GeodatabaseDelta(replicaID: found.replicaID, layers: [])
    for layer in own where !removed.contains(layer.layerID) {
      guard let there = fresh.first(where: { $0.layerID == layer.layerID }) else {
        throw FeatureEditError.unreadable(
          file: url.lastPathComponent, reason: "it lacks the layer \(layer.layerID)")
      }
      var part = try await other.difference(from: layer, to: there)
      if let waiting = withheld[layer.layerID] { part.add(waiting) }
      if !part.deletes.isEmpty {
        part.keep(try await present(layer.layerID, part.deletes), of: layer)
      }
      // A replica without attachments says nothing of them.
      if !found.returnsAttachments { part.deletedFiles = [] }
      delta.layers.append(part)
    }
    return try await sync { [delta] sync throws(FeatureEditError) in
      try sync.renew(found, delta, home: home, leavingOut: removed)
    }
  }

  /// Notes under which id and name the service knows the file, and for which map and home if that is given:
  /// a registration that names another one would be taken for that of the original.
  public func setReplica(
    _ id: UUID, named name: String, home: String? = nil
  ) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.editing.rewriting { () throws(FeatureEditError) in
        try sync.update { $0.setReplica(id, named: name) }
        try sync.store.setRequested(nil)
        if let home { try sync.store.setHome(home) }
      }
    }
  }

  /// Keeps under which name a service is asked for a replica in place of this one, before it is
  /// asked; forgotten with the registration of that replica.
  public func setRequestedCopy(_ copy: RequestedCopy?) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.editing.rewriting { () throws(FeatureEditError) in
        try sync.store.setRequested(copy)
      }
    }
  }

  /// Notes for which map and home the service knows the file as its replica, by what distinguishes them
  /// from copies of them.
  public func setHome(_ home: String) async throws(FeatureEditError) {
    try await sync { sync throws(FeatureEditError) in
      try sync.editing.rewriting { () throws(FeatureEditError) in try sync.store.setHome(home) }
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
