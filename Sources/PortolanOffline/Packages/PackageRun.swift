internal import Foundation
internal import PortolanFiles
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanLocks
internal import PortolanPackages
internal import PortolanPortal

/// One run of the download of a mobile map package.
struct PackageRun {
  let parameters: DownloadMobileMapPackageParameters
  let job: Job
  let reporter: JobReporter
  private let environment: OfflineEnvironment
  /// What of the package that was looked at last cannot be read.
  private let lacks = Locked<[String]>([])

  private var library: MapLibrary { environment.library }

  init(
    parameters: DownloadMobileMapPackageParameters, job: Job, reporter: JobReporter,
    environment: OfflineEnvironment
  ) {
    self.parameters = parameters
    self.job = job
    self.reporter = reporter
    self.environment = environment.checking { [lacks] url in
      let found = try await environment.checkPackage(url)
      lacks.withLock { $0 = found }
      return url.lastPathComponent
    }
  }

  func run() async throws -> JobOutcome {
    let portal = try await environment.connect(parameters.portal)
    let contents = try await PublishedPackage.load(parameters, from: portal)
    let staged = StagedDownload(plan: contents.plan, job: job, environment: environment)
    let progress = TransferProgress(contents.plan.files, reporter: reporter)
    if let url = try await installed(contents) {
      for file in contents.plan.files { await progress.done(file, at: url) }
    } else {
      try await staged.prepare()
      for file in contents.plan.files {
        do throws(FileFailure) { try await staged.fetch(file, from: portal, progress) } catch {
          throw error.error
        }
        try await install(staged.url(of: file), contents)
      }
    }
    try await library.removeStaged(job.id.text)
    await progress.finish()
    return JobOutcome(failedItems: failedItems(of: contents))
  }

  /// That parts of the package cannot be read, which is used all the same.
  private func failedItems(of contents: PublishedPackage) -> [JobFailedItem] {
    let lacks = lacks.withLock(\.self)
    guard !lacks.isEmpty else { return [] }
    let failure = JobFailure(
      message: lacks.joined(separator: " "),
      advice: OfflineMapError.unusablePackage(reason: "").recoverySuggestion, kind: .damaged)
    return [JobFailedItem(name: contents.item.title, attempts: 1, failure: failure)]
  }

  /// Where the package is stored already, in the version that the portal has.
  private func installed(_ contents: PublishedPackage) async throws -> URL? {
    // An installation that a crash has interrupted is completed first.
    try await library.recover()
    guard let map = try await library.storage.storedMap(contents.plan.mapID), map.deleted == nil,
      map.form == .file, let modified = contents.item.modified, map.sourceModified == modified,
      map.byteCount == contents.plan.files.first?.byteCount
    else { return nil }
    let place = library.layout.place(of: map)
    do {
      _ = try await environment.check(place)
      return place
    } catch {
      // Fetched again it would be the same, and refused.
      if case PackageError.expired = error { throw error }
      // Whatever else is wrong with it, it is fetched again.
      return nil
    }
  }

  private func install(_ file: URL, _ contents: PublishedPackage) async throws {
    let item = contents.item
    let stored = StoredMap(
      id: contents.plan.mapID, origin: .portalItem(item.id.text), form: .file, title: item.title,
      summary: item.snippet, portal: parameters.portal, installed: environment.surroundings.now(),
      sourceModified: item.modified, byteCount: DiskUsage(of: file).byteCount)
    try await environment.store(file, as: stored, reporting: reporter)
  }
}
