internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal
internal import PortolanTransport

/// One run of the download of an area.
struct AreaRun {
  private typealias UpdateMode = DownloadPreplannedOfflineMapParameters.UpdateMode

  let parameters: DownloadPreplannedOfflineMapParameters
  let job: Job
  let reporter: JobReporter
  let environment: OfflineEnvironment

  private var library: MapLibrary { environment.library }

  func run() async throws -> JobOutcome {
    let portal = try await environment.connect(parameters.portal)
    let contents = try await AreaContents.load(parameters, from: portal)
    if let items = try await itemsOfStored(contents) { return JobOutcome(failedItems: items) }
    let staged = StagedDownload(plan: contents.plan, job: job, environment: environment)
    let reference = try ReferenceBasemap(parameters)
    try await staged.prepare()
    let data = staged.folder.appending(path: AreaDocuments.dataFolder)
    try ReferenceBasemap.removeCopies(in: data, except: reference?.fileName)
    try await reference?.copy(into: data, check: environment.check)
    let progress = TransferProgress(contents.plan.files, reporter: reporter)
    let failed = try await fetch(contents, from: portal, staged, progress)
    let items = try await install(contents, staged, reference, failed)
    if failed.isEmpty { await progress.finish() }
    return JobOutcome(failedItems: items)
  }

  /// What is missing in the map that an earlier run of the job has stored; `nil` if none has.
  private func itemsOfStored(_ contents: AreaContents) async throws -> [JobFailedItem]? {
    let id = contents.plan.mapID
    guard let checkpoint = AreaCheckpoint(of: job),
      try await checkpoint.isStored(id, by: job, in: library),
      // The portal may have a newer version by now, which the user may be waiting for.
      try await StoredArea(id, in: library)?.isOfVersions(in: contents.plan) == true
    else { return nil }
    return checkpoint.failedItems
  }

  // MARK: - Packages

  /// Fetches the packages.
  ///
  /// What passes stops the others only where they would fail too; a package that a server does not
  /// give in three runs is left out.
  private func fetch(
    _ contents: AreaContents, from portal: Portal, _ staged: StagedDownload,
    _ progress: TransferProgress
  ) async throws -> [JobFailedItem] {
    var ledger = AreaLedger(job)
    for file in contents.plan.files {
      do throws(FileFailure) { try await staged.fetch(file, from: portal, progress) } catch {
        let interruption = JobInterruption(error.error)
        guard parameters.continuesOnErrors, case .failed(let failure) = interruption,
          failure.kind != .device
        else {
          throw interruption
        }
        await reporter.message("\(file.title): \(failure.message)", .warning)
        ledger.add(file, error, failure)
      }
    }
    if let failure = ledger.worthAnotherRun { throw JobInterruption.failed(failure) }
    guard ledger.items.count < contents.plan.files.count else {
      throw JobInterruption.failed(
        ledger.items.first?.failure
          ?? JobFailure(OfflineMapError.noPackages(area: job.title), kind: .absent))
    }
    return ledger.items
  }

  // MARK: - Afterwards

  /// Writes the documents, opens the whole, and lets it take its place, unless it is what is stored.
  ///
  /// - Returns: What is missing: packages that failed, and layers and tables that are in no package.
  private func install(
    _ contents: AreaContents, _ staged: StagedDownload, _ reference: ReferenceBasemap?,
    _ failed: [JobFailedItem]
  ) async throws -> [JobFailedItem] {
    let present = zip(contents.packages, contents.plan.files).filter { staged.holds($1) }.map(\.0)
    let (mode, isChosen) = try await updateMode(contents)
    let documents = AreaDocuments(
      portal: parameters.portal, webMap: contents.webMapItem, area: contents.area,
      packages: present, lacking: contents.packages.filter { !present.contains($0) },
      updateMode: mode, isUpdateModeChosen: isChosen, guid: environment.surroundings.makeID(),
      now: environment.surroundings.now())
    let map = documents.offlineMap(
      of: contents.webMap, contents.sources, includesBasemap: parameters.includesBasemap,
      reference: reference)
    let written = documents.documents(of: map)
    for (path, data) in written {
      let file = staged.folder.appending(path: path)
      do { try FileSystem.live.write(data, to: file) } catch { throw LibraryError(error) }
    }
    try await staged.discardUnfinished()
    _ = try await environment.check(staged.folder)
    let online = AreaLedger.online(
      AreaLayers(map, contents.sources).entries, outside: contents.packages)
    let options = parameters.storedOptions(keptUpToDate: mode, isChosen: isChosen)
    let stored = record(of: contents, lacking: failed, options)
    try await store(stored, in: staged.folder, written, missing: failed + online)
    if present.contains(where: { $0.kind == .geodatabase }) {
      await reporter.message(mode.sentence)
    }
    for package in documents.unsynchronized {
      await reporter.message(
        "\(package.portalItem.title) is not set up to be synchronized: edits of it stay on this device."
      )
    }
    for layer in online { await reporter.message(layer.sentence) }
    return failed + online
  }

  /// How the map is kept up to date, and whether that was chosen: as was chosen now, else for a stored
  /// version of it, be it of an earlier run; else as the author of the area has set it up.
  private func updateMode(
    _ contents: AreaContents
  ) async throws(LibraryError) -> (mode: UpdateMode, isChosen: Bool) {
    if let mode = parameters.updateMode { return (mode, true) }
    let stored = try await environment.storedOptions(of: contents.plan.mapID)
    if let mode = stored?.keptUpdateMode.flatMap(UpdateMode.init(rawValue:)) { return (mode, true) }
    // Edits that people have made so that they are sent are not kept here from then on.
    if stored?.updateMode == UpdateMode.syncWithFeatureServices.rawValue {
      return (.syncWithFeatureServices, false)
    }
    return (contents.defaultUpdateMode, false)
  }

  /// What is to be recorded of the map.
  private func record(
    of contents: AreaContents, lacking failed: [JobFailedItem], _ options: StoredAreaOptions
  ) -> StoredMap {
    StoredMap(
      id: contents.plan.mapID,
      origin: .preplannedArea(webMap: parameters.webMap, area: parameters.area),
      form: .folder, title: contents.area.portalItem.title,
      summary: contents.area.portalItem.snippet, portal: parameters.portal,
      installed: environment.surroundings.now(), sourceModified: contents.area.portalItem.modified,
      byteCount: library.layout.byteCount(ofStaged: job.id.text),
      omissions: failed.map(\.sentence), options: options)
  }

  /// Lets the map take its place; one that is stored already stays as it is, and so does the version
  /// before.
  private func store(
    _ map: StoredMap, in folder: URL, _ documents: [(path: String, data: Data)],
    missing: [JobFailedItem]
  ) async throws {
    let stored = try await StoredArea(map.id, in: library)
    if try await stored?.equals(job.id.text, recordedAs: map, documents) == true {
      await reporter.message("Nothing has changed since the map was stored.")
      try await library.setOptions(map.options, of: map.id)
      return try await library.removeStaged(job.id.text)
    }
    let before = try await library.storage.storedMap(map.id)?.version ?? 0
    let checkpoint = AreaCheckpoint(version: before, failedItems: missing)
    try await reporter.checkpoint(try JSONEncoder().encode(checkpoint))
    try await environment.store(folder, as: map, reporting: reporter)
  }
}
